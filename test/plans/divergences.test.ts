/** Which places that only the failing run reaches are named. */
import { expect, test } from 'vitest';
import type { Artifact } from '../../src/core/artifact.js';
import type { CommandOracle } from '../../src/oracle/command/command.js';
import type { Branches, FileBranches, Spot } from '../../src/oracle/coverage/branches/branches.js';
import { divergencesOf } from '../../src/plans/divergences.js';
import type { Context } from '../../src/plans/job.js';

const spot: Spot = { kind: 'branch', line: 1, column: 0, endLine: 1, endColumn: 4 };
const reaching = (times: number): FileBranches => ({ spots: [spot], taken: () => ({ times, of: 1 }) });
const artifact = (text: string): Artifact => ({
  files: new Map([['lib/a.js', { kind: 'file', bytes: Buffer.from(`same();\n${text}\n`) }]]),
});

test('of a program that changed, only its own files are named; of a program that did not, all that it uses', async () => {
  const [passing, failing] = [artifact('old();'), artifact('new();')];
  const context = {
    folder: { journal: { noted: () => undefined, note: () => undefined } },
    signal: new AbortController().signal,
  } as unknown as Context;
  const observe = async (seen: Artifact) => {
    const times = seen === failing ? 1 : 0;
    const branches: Branches = new Map([
      ['/elsewhere/node_modules/helper/index.js', reaching(times)],
      ['lib/a.js', reaching(times)],
    ]);
    return { seen: { branches, isNative: false } };
  };
  const oracle = { observe } as unknown as CommandOracle;
  const namedIf = async (isProgram: boolean) =>
    (await divergencesOf({ passing, failing, isProgram }, oracle, 1, context)).map(({ file }) => file);
  expect(await namedIf(true)).toEqual(['lib/a.js']);
  expect(await namedIf(false)).toContain('/elsewhere/node_modules/helper/index.js');
});
