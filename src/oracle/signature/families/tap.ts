/** The Test Anything Protocol (node:test, tape, bats, prove): the first test that is not ok, with what is said of it in YAML. */
import type { Family } from '../found.js';

const notOk = /^(\s*)not ok\b(?: \d+)?(?: -)? *(?!.*# (?:TODO|SKIP)\b)(.*)$/i;

export const tap: Family = ({ lines }) => {
  const at = lines.findIndex(line => notOk.test(line));
  if (at < 0) return undefined;
  const [, indent, title] = notOk.exec(lines[at]!)!;
  const details: string[] = [];
  const opens = lines[at + 1]?.trim() === '---';
  for (let i = at + 2; opens && i < lines.length && lines[i]!.trim() !== '...'; i++)
    details.push(lines[i]!.slice(indent!.length));
  const error = entryOf(details, 'error') ?? entryOf(details, 'message') ?? commentBelow(lines, at);
  const name = entryOf(details, 'name');
  const line = error === undefined ? `not ok ${title}` : name === undefined ? error : `${name}: ${error}`;
  return { kind: 'tap', line, frames: [], depth: 0 };
};

/** The first line of a value: `error: 'text'`, or a block that begins on the next line. */
function entryOf(details: readonly string[], key: string): string | undefined {
  const at = details.findIndex(line => line.trim().startsWith(`${key}:`));
  if (at < 0) return undefined;
  const value = details[at]!.trim()
    .slice(key.length + 1)
    .trim();
  const line = /^[|>][-+]?$/.test(value) ? (details[at + 1] ?? '').trim() : value.replace(/^(['"])(.*)\1$/, '$2');
  return line === '' ? undefined : line;
}

/** bats and prove have comments instead: the first is the place, the others what happened. */
function commentBelow(lines: readonly string[], at: number): string | undefined {
  const comments: string[] = [];
  for (let i = at + 1; /^\s*# /.test(lines[i] ?? ''); i++) comments.push(lines[i]!.trim().slice(2).trim());
  return comments.find(each => !/^(?:\(|in test file|Failed test|at |Looks like)/.test(each));
}
