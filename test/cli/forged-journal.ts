/** Journals with right sums over changed lines, as somebody writes them who wants to deceive, and what `verify` says to them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { check } from '../../src/cli/verify.js';
import { UserError } from '../../src/core/index.js';
import { type Line, sealed } from '../../src/run/journal-file.js';

export const linesIn = (path: string): readonly Line[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => {
      const { sum: _, ...rest } = JSON.parse(line);
      return rest;
    });

export function forge(path: string, lines: readonly Line[]): void {
  let [text, sum] = ['', ''];
  for (const line of lines) {
    const next = sealed(line, sum);
    text += next.text;
    sum = next.sum;
  }
  writeFileSync(path, text);
}

/** The exit code of `verify`, without a process: some tests check a hundred changes. */
export async function codeOf(path: string): Promise<number> {
  try {
    const { refuted, unchecked } = await check(path);
    return refuted.length > 0 ? 1 : unchecked.length > 0 ? 3 : 0;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.exitCode;
  }
}
