/** Reads the names of failing tests from the output of test runners. */
import type { Run } from '../process/index.js';
import { readOutput } from '../signature/output.js';

/** Test runners whose output names the tests that failed. */
export const isTestRunner = (command: readonly string[]): boolean => {
  const line = command.join(' ');
  return (
    /(^|\s)--test(\s|=|$)/.test(line) || /(^|[\s/])(vitest|mocha|_mocha|jest|ava|tap|tape)(\.m?js)?(\s|$)/.test(line)
  );
};

/** The names of the tests that failed, as the reporters of node:test, vitest, jest and mocha print them. */
export function failingTests({ stdout, stderr }: Pick<Run, 'stdout' | 'stderr'>): readonly string[] {
  const lines = [stdout, stderr].flatMap(bytes => readOutput(bytes).text.split('\n'));
  const plain = lines.map(line => line.replace(/\x1b\[[\d;]*m/g, ''));
  const found = [...fromTap(plain), ...plain.flatMap(fromLine), ...fromMocha(plain)];
  return [...new Set(found.map(name => name.trim()).filter(name => name !== ''))].sort();
}

/** TAP: a parent fails because its child does, so only the innermost of them is reported. */
function fromTap(lines: readonly string[]): readonly string[] {
  const found: string[] = [];
  let failing: readonly number[] = [];
  for (const line of lines) {
    const [, indent, not, name] = /^(\s*)(not )?ok \d+ - (.*?)(?:\s+#\s.*)?$/.exec(line) ?? [];
    if (indent === undefined || name === undefined) continue;
    const depth = indent.length;
    if (not && !failing.some(each => each > depth)) found.push(name);
    failing = [...failing.filter(each => each <= depth), ...(not ? [depth] : [])];
  }
  return found;
}

/** One line for each: node:test's spec reporter, vitest and jest. */
function fromLine(line: string): readonly string[] {
  const spec = /^\s*✖ (?!failing tests:)(.*?) \([\d.]+ms\)(?:\s+#.*)?$/.exec(line);
  if (spec) return [spec[1]!];
  const vitest = /^\s*FAIL\s+(\S.* > .*)$/.exec(line);
  if (vitest) return [vitest[1]!];
  const jest = /^\s*● (.+ › .+)$/.exec(line);
  return jest ? [jest[1]!] : [];
}

/** mocha numbers the failures as they happen, and repeats them after "n failing". */
function fromMocha(lines: readonly string[]): readonly string[] {
  const summary = lines.findIndex(line => /^\s+\d+ failing$/.test(line));
  if (summary < 0) return [];
  return lines.slice(0, summary).flatMap(line => /^\s+\d+\) (.+)$/.exec(line)?.[1] ?? []);
}
