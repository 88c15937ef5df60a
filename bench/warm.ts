/**
 * What warm starts bring: seconds and CPU seconds per test with and without them, on a folder of real failing inputs.
 *   npm run bench -- warm <folder> [--cases a,b] [--tests 12] [--node <path>]
 * A case is a folder as in `corpus`. The candidates are pieces of the input, the same for both; verdicts must be the same.
 * --node: the folder of the Node that the tests run on; only Node 22.1 and later keep compiled code.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Artifact } from '../src/core/artifact.js';
import { CommandOracle } from '../src/oracle/command/command.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cases: { type: 'string' }, tests: { type: 'string', default: '12' }, node: { type: 'string' } },
});
const folder = resolve(positionals[0] ?? 'corpus');
const cases = values.cases?.split(',') ?? readdirSync(folder).filter(name => /terser|prettier|esbuild|^ts-/.test(name));
const tests = Number(values.tests);
const path = [...(values.node ? [resolve(values.node)] : []), process.env.PATH].join(delimiter);
const env = Object.fromEntries(
  Object.entries({ ...process.env, PATH: path }).filter((pair): pair is [string, string] => pair[1] !== undefined),
);

interface Measured {
  readonly seconds: number;
  readonly cpu: number;
  readonly verdicts: string;
}

console.log(
  'case                             tests   s/test cold  warm  ratio   CPU s/test cold  warm  ratio   verdicts',
);
for (const name of cases) {
  const file = readdirSync(join(folder, name)).find(each => each.startsWith('input.'));
  if (!file) continue;
  const candidates = piecesOf(file, readFileSync(join(folder, name, file)));
  const cold = await measure(name, file, candidates, false);
  const warm = await measure(name, file, candidates, true);
  const ratio = (a: number, b: number) => `${a.toFixed(3).padStart(8)} ${b.toFixed(3)}  ${(a / b).toFixed(2)}×`;
  const same = cold.verdicts === warm.verdicts ? 'identical' : `DIFFER: ${cold.verdicts} and ${warm.verdicts}`;
  console.log(
    `${name.padEnd(32)} ${String(tests).padStart(5)}   ${ratio(cold.seconds, warm.seconds)}        ${ratio(cold.cpu, warm.cpu)}   ${same}`,
  );
}

/** The input, and ever smaller pieces from both of its ends: most candidates of a reducer are small. */
function piecesOf(file: string, bytes: Buffer): readonly Artifact[] {
  const lines = bytes.toString('latin1').split('\n');
  return Array.from({ length: tests }, (_, i) => {
    const length = Math.ceil(lines.length / 2 ** Math.ceil(i / 2));
    const part = i % 2 === 0 ? lines.slice(0, length) : lines.slice(-length);
    return { files: new Map([[file, { kind: 'file' as const, bytes: Buffer.from(part.join('\n'), 'latin1') }]]) };
  });
}

async function measure(name: string, file: string, candidates: readonly Artifact[], warm: boolean): Promise<Measured> {
  const given = [{ path: join(folder, name, file), name: file, folder: false }];
  const oracle = new CommandOracle({ command: [join(folder, name, 'test.sh')], given, jobs: 1, env, warm });
  const before = cpuOfChildren();
  let seconds = 0;
  const ends: (number | string)[] = [];
  for (const candidate of candidates) {
    const { run } = await oracle.attempt(candidate, 120);
    seconds += run.seconds;
    ends.push(run.exit ?? run.signal ?? '?');
  }
  await oracle.close();
  return { seconds: seconds / tests, cpu: (cpuOfChildren() - before) / tests, verdicts: ends.join(' ') };
}

/** CPU seconds of all children that have ended: fields 16 and 17 of proc(5) stat, in ticks of 10 ms. */
function cpuOfChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
