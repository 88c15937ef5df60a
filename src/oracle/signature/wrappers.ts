/**
 * Programs that run other programs print lines of their own: npm warns about its settings, yarn and make say that a command
 * failed, Node announces what is deprecated. None of these is about the failure.
 */
const own: readonly RegExp[] = [
  /^npm (?:warn|notice|info|http|timing|verb|sill|error|ERR!)(?:\s|$)/i,
  /^(?:\$ |info Visit https:|error Command failed with exit code \d+)/,
  /^\s*(?:ELIFECYCLE|ERR_PNPM_RECURSIVE_\w+)\s/,
  /^\S*make(?:\[\d+\])?: (?:\*\*\* |Entering directory|Leaving directory|Target |\[)/,
  /^(?:ninja: build stopped|FAILED: (?:\[code=\d+\] )?\S+ *$)/,
  /^\(node:\d+\) |^\(Use `node --trace-/,
];

/** Whether a program that runs others printed this line about itself. */
export const isOfWrapper = (line: string): boolean => own.some(pattern => pattern.test(line));
