/** Shows something on the screen before anything is loaded: the line is erased by the first output. */

const jobs = /^(reduce|isolate|states|changes|options|env|actions|tests|traffic|schedules|triage|resume)$/;

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Only on a terminal, and only for commands that may take a while. Nothing is imported here, because loading is what takes the time. */
export function showFirstLine(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  screens: { readonly error: Screen; readonly output: Screen },
): void {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const [job = ''] = own;
  const isSilent = own.some(word => /^(-h|--help|-q|--quiet)$/.test(word));
  if (!screens.error.isTTY || env.TERM === 'dumb' || env.CI || isSilent || !jobs.test(job)) return;
  const text = `${job}: starting`;
  screens.error.write(env.NO_COLOR ? `${text}\r` : `\x1b[2m${text}\x1b[0m\r`);
  const shared = screens.output.isTTY ? [screens.error, screens.output] : [screens.error];
  const writes = shared.map(screen => screen.write);
  const erase = () => {
    for (const [i, screen] of shared.entries()) screen.write = writes[i]!;
    screens.error.write('\x1b[K');
  };
  for (const [i, screen] of shared.entries())
    screen.write = function (this: Screen, ...given: [text: string]) {
      erase();
      return writes[i]!.apply(this, given);
    };
}
