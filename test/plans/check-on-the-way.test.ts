/** A failure that was seen once is checked as soon as there is a much smaller result. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Outcome } from '../../src/core/index.js';
import type { Event } from '../../src/engine/index.js';
import { untilDoubted } from '../../src/plans/flaky/check-on-the-way.js';
import { Journal } from '../../src/run/journal.js';
import { folderWith } from '../cli/culprit.js';

const pass = (bytes: number): Event => ({ type: 'pass', pass: 'p', round: 1, deltas: 1, strategy: 's', bytes });

/** A search that starts a pass at each of these sizes; `tested`: what each test again gives, and at which size. */
async function search(sizes: readonly number[], outcomes: readonly Outcome[], path = newPath()) {
  const journal = path.isNew ? Journal.create(path.file, header) : Journal.reopen(path.file);
  const tested: number[] = [];
  let size = sizes[0]!;
  let isClosed = false;
  async function* run(): AsyncGenerator<Event, 'end'> {
    try {
      for (size of sizes) yield pass(size);
      return 'end';
    } finally {
      isClosed = true;
    }
  }
  const check = {
    test: async (bytes: number) => ({ outcome: outcomes[tested.push(bytes) - 1] ?? ('fail' as const) }),
    tested: () => [sizes[0]!, size],
    bytes: sizes[0]!,
    journal,
    signal: new AbortController().signal,
  };
  const seen: number[] = [];
  const watched = untilDoubted(run(), check);
  for (;;) {
    const step = await watched.next();
    if (!step.done) seen.push((step.value as { bytes: number }).bytes);
    else {
      journal.close();
      return { end: step.value, seen, tested, isClosed };
    }
  }
}

const header = { culprit: 2 as const, job: 'x', argv: [], cwd: '/', versions: {} };
const newPath = () => ({ file: join(folderWith(), 'journal.jsonl'), isNew: true });

test('as soon as a result is much smaller, it and the original are tested again, once, and nothing else changes', async () => {
  const sizes = [8000, 4000, 900, 100, 50];
  expect(await search(sizes, [])).toEqual({ end: 'end', seen: sizes, tested: [8000, 900], isClosed: true });
});

test('if one of them does not fail again, the search ends there', async () => {
  const ended = await search([8000, 900, 100], ['fail', 'pass']);
  expect(ended).toEqual({ end: undefined, seen: [8000], tested: [8000, 900], isClosed: true });
});

test('a resumed search remembers the answer', async () => {
  for (const outcome of ['fail', 'unresolved'] as const) {
    const path = newPath();
    const first = await search([8000, 900, 100], [outcome], path);
    const resumed = await search([8000, 900, 100], [], { ...path, isNew: false });
    expect(resumed).toEqual({ ...first, tested: [] });
  }
});
