import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Reached } from './reach.js';

type Size = Pick<Reached, 'text' | 'bytes' | 'tests'>;

export interface Row {
  readonly language: string;
  readonly before: number;
  readonly structural: Size;
  readonly lexical: Size;
}

const path = new URL('table.txt', import.meta.url);
const heading = 'language     before  structure  tests  letters  tests  what structure left';

/** More tests than recorded are tolerated up to this factor; more bytes are not. */
const tolerance = 1.3;

const shown = ({ language, before, structural, lexical }: Row): string =>
  [
    language.padEnd(12),
    String(before).padStart(6),
    String(structural.bytes).padStart(10),
    String(structural.tests).padStart(6),
    String(lexical.bytes).padStart(8),
    String(lexical.tests).padStart(6),
    ` ${structural.text.replaceAll('\n', '⏎')}`,
  ].join(' ');

const rows = (): Map<string, string> =>
  new Map(
    (existsSync(path) ? readFileSync(path, 'utf8') : '')
      .split('\n')
      .slice(1)
      .filter(line => line !== '')
      .map(line => [line.split(' ')[0]!, line]),
  );

/** Holds a result against `table.txt`. `vitest -u` writes it there instead; a language that is missing is an error. */
export function compareWithTable(row: Row): void {
  const recorded = rows();
  if (isUpdating()) {
    recorded.set(row.language, shown(row));
    writeFileSync(path, `${[heading, ...recorded.values()].join('\n')}\n`);
    return;
  }
  const line = recorded.get(row.language);
  expect(line, `table.txt has no line for ${row.language}; write it with vitest -u`).toBeDefined();
  const [, , bytes, tests, lexicalBytes, lexicalTests] = line!.split(/ +/);
  const allowed = (size: Size, most: string | undefined, asked: string | undefined) => {
    expect(size.bytes, size.text).toBeLessThanOrEqual(Number(most));
    expect(size.tests).toBeLessThanOrEqual(Math.ceil(Number(asked) * tolerance));
  };
  allowed(row.structural, bytes, tests);
  allowed(row.lexical, lexicalBytes, lexicalTests);
}

/** Whether vitest was started with `-u`, as its own snapshots would know. */
function isUpdating(): boolean {
  const { snapshotState } = expect.getState() as unknown as { snapshotState?: { readonly _updateSnapshot?: string } };
  return snapshotState?._updateSnapshot === 'all';
}
