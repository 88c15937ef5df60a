/**
 * Whether an option takes the next word as its value. Only the tool knows, so its own help is read first, then a short
 * table of common tools. If neither knows, the answer is `undefined`: uncertain.
 */
export type TakesValue = (option: string) => boolean | undefined;

export interface HelpOption {
  readonly option: string;
  /** `next`: the value is the next word (`-o FILE`); `joined`: in the same word (`-std=<x>`, `-O<n>`, `--color[=WHEN]`). */
  readonly value: 'none' | 'next' | 'joined';
  /** As `gcc -Q --help=optimizers` prints it. */
  readonly state?: 'enabled' | 'disabled';
}

/** Options listed in a help text: GNU (`-o, --output=FILE`), argparse, commander, GCC and clang; `--[no-]x` is two. */
export function optionsInHelp(help: string): readonly HelpOption[] {
  const found = new Map<string, HelpOption>();
  for (const line of help.split('\n')) {
    const indented = /^[ \t]+(-.*)$/.exec(line);
    if (!indented) continue;
    const [head = '', ...rest] = indented[1]!.split(/\t+| {2,}/);
    const state = /\[(enabled|disabled)\]/.exec(rest.join(' '))?.[1] as HelpOption['state'];
    const alternatives = head
      .replace(/(?<![\w-])(--?\w?)\[no-?\]([\w-]+)([^,|]*)/g, (_, dashes, name, tail) =>
        [dashes + name + tail, `${dashes}no-${name}`].join(', '),
      )
      .split(/(?:,\s*|\s+[|/]\s+|\s+or\s+)(?=-)/)
      .map(text => /^(--?[A-Za-z0-9?@#][\w.+#@-]*)(.*)$/.exec(text))
      .filter(match => match !== null);
    // `-o, --output=FILE` shows the value once for both.
    const tails = alternatives.map(match => match[2]!.trim() && match[2]!).filter(tail => tail !== '');
    for (const [, option = '', tail = ''] of alternatives) {
      const borrowed = /^--no-/.test(option) ? '' : (tails[0] ?? '');
      const value = valueIn(option, tail || borrowed, tail === '' && borrowed !== '');
      if (!found.has(option)) found.set(option, { option, value, ...(state && { state }) });
    }
  }
  return [...found.values()];
}

function valueIn(option: string, tail: string, borrowed: boolean): HelpOption['value'] {
  if (tail === '') return 'none';
  if (/^\s*\[/.test(tail)) return 'joined';
  if (/^\s/.test(tail)) return 'next';
  // getopt_long accepts `--output FILE` if the help says `--output=FILE`; `-std=c99` and `-O<n>` are one word.
  return option.startsWith('--') || borrowed ? 'next' : 'joined';
}

export function knownFrom(help: string): TakesValue {
  const values = new Map(optionsInHelp(help).map(({ option, value }) => [option, value]));
  return option => {
    const value = values.get(option);
    return value === undefined ? undefined : value === 'next';
  };
}

const compiler =
  '-o -x -I -L -l -D -U -A -T -u -z -e -F -B -include -imacros -isystem -iquote -idirafter -iprefix -isysroot -MF -MT -MQ ' +
  '-Xlinker -Xclang -Xassembler -Xpreprocessor -mllvm -arch -target -aux-info -dumpbase -framework -wrapper --param --sysroot';
const tools: readonly { readonly program: RegExp; readonly takes: string; readonly others?: boolean }[] = [
  {
    program: /(^|-)(cc|gcc|g\+\+|c\+\+|clang|clang\+\+|cpp|gfortran|gnat|gdc)(-[\d.]+)?$/,
    takes: compiler,
    others: false,
  },
  {
    program: /^(nodejs|node)(-?[\d.]+)?$/,
    takes: '-r -e -p -C --require --import --eval --print --conditions --env-file',
  },
  { program: /^(python|pypy)[\d.]*$/, takes: '-c -m -W -X --check-hash-based-pycs', others: false },
  { program: /^(perl|ruby)[\d.]*$/, takes: '-e -I -r' },
  { program: /^(git)$/, takes: '-C -c --git-dir --work-tree --exec-path -m --message --author --date' },
];

/** What is known about a program by its name. In the families marked so, an option that is not listed does not take the next word. */
export function knownOf(program: string): TakesValue {
  const name = program.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '');
  const tool = tools.find(each => each.program.test(name));
  if (!tool) return () => undefined;
  const takes = new Set(tool.takes.split(' '));
  return option => (takes.has(option) ? true : tool.others);
}

/** The first source that knows. */
export const firstOf =
  (...sources: readonly TakesValue[]): TakesValue =>
  option => {
    for (const source of sources) {
      const takes = source(option);
      if (takes !== undefined) return takes;
    }
    return undefined;
  };
