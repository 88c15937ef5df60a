/** The man page, from the same source as the help texts. */
import type { Command } from 'commander';
import { type CommandShape, type OptionShape, shapesOf } from './completion/shape.js';

/** `examples`: what follows the options in the help of a command, by its name. */
export function manualOf(program: Command, examples: ReadonlyMap<string, string>): string {
  const commands = shapesOf(program);
  return [
    `.TH CULPRIT 1 "" "culprit ${program.version() ?? ''}" "User Commands"`,
    '.SH NAME',
    'culprit \\- find the smallest part that makes a program fail',
    '.SH SYNOPSIS',
    '.B culprit',
    '.I command',
    '[options] [\\-\\- \\fIcommand\\fR [\\fIargs\\fR...]]',
    '.SH DESCRIPTION',
    escaped(program.description()),
    '.SH COMMANDS',
    ...commands.flatMap(command => commandLines(command, examples.get(command.name) ?? '')),
    '.SH EXIT STATUS',
    ...exits.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, escaped(meaning)]),
    '.SH FILES',
    '.TP',
    '.I .culprit/',
    escaped('The folders of the runs: journal, original, smallest result, report page.'),
    '',
  ].join('\n');
}

/** What each command prints after its options. */
export function examplesOf(program: Command): ReadonlyMap<string, string> {
  return new Map(
    program.commands.map(command => {
      let text = '';
      command.configureOutput({ writeOut: part => (text += part) }).outputHelp();
      return [command.name(), text.slice(command.helpInformation().length)];
    }),
  );
}

const exits = [
  ['0', 'Done. The result is proven minimal in the sense that is printed.'],
  ['1', 'Nothing to do: the command does not fail, or an environment problem explained on stderr.'],
  ['2', 'The command line is wrong.'],
  ['3', 'Stopped early. The best result so far is kept, and culprit resume continues.'],
  ['70', 'A bug in culprit.'],
] as const;

function commandLines({ name, description, usage, options }: CommandShape, after: string): readonly string[] {
  const groups = [...new Set(options.map(option => option.group))];
  return [
    `.SS "culprit ${name}"`,
    `.B culprit ${name}`,
    escaped(usage.replace(/\s*\n\s*/g, ' or ')),
    '.PP',
    `${escaped(description)}.`,
    ...groups.flatMap(group => [
      '.PP',
      `.I ${escaped(group)}`,
      ...options.filter(option => option.group === group).flatMap(optionLines),
    ]),
    ...(after.trim() === '' ? [] : ['.PP', '.nf', ...after.trim().split('\n').map(escaped), '.fi']),
  ];
}

const optionLines = ({ flags, description }: OptionShape): readonly string[] => [
  '.TP',
  `.B ${escaped(flags)}`,
  escaped(description),
];

/** roff reads backslashes, and dots and quotes at the start of a line. A hyphen must stay one when it is copied. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    // troff reads ASCII: other characters are written by number.
    .replace(/[^\x00-\x7f]/gu, sign => `\\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`);
