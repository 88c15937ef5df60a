/** Jest: a failed expectation has a heading and no class of an error. What is thrown in a test has a stack, and is Node's. */
import type { Family } from '../found.js';
import { isSnippet } from './generic.js';

const heading = /^ {2}● /;

export const jest: Family = ({ lines }) => {
  const at = lines.findIndex(line => heading.test(line));
  if (at < 0) return undefined;
  const first = lines.findIndex((line, i) => i > at && line.trim() !== '');
  if (first < 0 || /^\s*(?:[A-Z][\w$.]*)?(?:Error|Exception)\b/.test(lines[first]!)) return undefined;
  const said: string[] = [];
  for (const line of lines.slice(first)) {
    if (heading.test(line) || /^\s+at \S/.test(line) || isSnippet(line.replace(/^\s*>?\s*\d+ /, ''))) break;
    if (line.trim() !== '') said.push(line.trim());
  }
  const [matcher, ...values] = said.slice(0, 3);
  // `expect(received).toBe(expected) // Object.is equality`, then `Expected: 3` and `Received: -1`.
  const line = [matcher!.replace(/ \/\/ .*$/, ''), ...values].join(', ');
  return { kind: 'jest', line, frames: [], depth: 0 };
};
