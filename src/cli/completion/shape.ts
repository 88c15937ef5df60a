/** What shells and the manual need to know about the commands, read from the commands themselves. */
import type { Command, Option } from 'commander';

export interface OptionShape {
  readonly long: string;
  readonly short?: string;
  readonly description: string;
  /** As it is written: `-j, --jobs <n>`. */
  readonly flags: string;
  /** What follows it: one of these words, a path, anything else, or nothing. */
  readonly value: readonly string[] | 'path' | 'other' | 'none';
  readonly group: string;
}

export interface CommandShape {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  readonly options: readonly OptionShape[];
  /** What its arguments are: one of these words, a run folder, or any path. */
  readonly argument: readonly string[] | 'run' | 'path' | 'none';
  /** There is a command after `--`. */
  readonly takesCommand: boolean;
}

export const shapesOf = (program: Command): readonly CommandShape[] => program.commands.map(shapeOf);

function shapeOf(command: Command): CommandShape {
  const usage = command.usage();
  return {
    name: command.name(),
    description: command.description(),
    usage,
    options: command.options.filter(option => !option.hidden).map(optionShape),
    argument: argumentOf(command),
    takesCommand: usage.includes('-- <') || usage.includes('[--'),
  };
}

function argumentOf({ registeredArguments: [first] }: Command): CommandShape['argument'] {
  if (!first) return 'none';
  if (first.argChoices) return first.argChoices;
  return first.name() === 'run' || first.name() === 'what' ? 'run' : 'path';
}

function optionShape(option: Option): OptionShape {
  const { long, short, description, flags, argChoices, required, optional, helpGroupHeading } = option;
  const isPath = /<(file|path|dir|schedule|file\.wasm|schedule\.json)>/.test(flags);
  return {
    long: long ?? short ?? '',
    ...(short && long ? { short } : {}),
    description,
    flags,
    value: argChoices ?? (isPath ? 'path' : required || optional ? 'other' : 'none'),
    group: helpGroupHeading ?? 'Options:',
  };
}
