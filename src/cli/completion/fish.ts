/** Completion for fish. */
import type { CommandShape, OptionShape } from './shape.js';

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;

function optionLine(name: string, { long, short, description, value }: OptionShape): string {
  const words = [
    'complete -c culprit',
    `-n '__fish_seen_subcommand_from ${name}; and not contains -- -- (commandline -opc)'`,
    ...(long.startsWith('--') ? [`-l ${long.slice(2)}`] : []),
    ...(short ? [`-s ${short.slice(1)}`] : []),
    ...(value === 'none'
      ? []
      : value === 'path'
        ? ['-r -F']
        : value === 'other'
          ? ['-x']
          : [`-x -a ${quoted(value.join(' '))}`]),
    `-d ${quoted(description)}`,
  ];
  return words.join(' ');
}

function argumentLines({ name, argument }: CommandShape): readonly string[] {
  const condition = `-n '__fish_seen_subcommand_from ${name}'`;
  if (argument === 'none' || argument === 'path') return [];
  const words = argument === 'run' ? '(__fish_complete_directories .culprit/)' : argument.join(' ');
  return [`complete -c culprit ${condition} -f -a ${quoted(words)}`];
}

export const fishCompletion = (commands: readonly CommandShape[]): string =>
  [
    '# fish completion for culprit: culprit completion fish > ~/.config/fish/completions/culprit.fish',
    ...commands.map(
      ({ name, description }) => `complete -c culprit -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
    ),
    ...commands.flatMap(command => [
      ...command.options.map(option => optionLine(command.name, option)),
      ...argumentLines(command),
    ]),
    '',
  ].join('\n');
