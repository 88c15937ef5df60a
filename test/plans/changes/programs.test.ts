import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { all, type Configuration, deltasOf, minus, type Outcome, of } from '../../../src/core/index.js';
import { Counter } from '../../../src/engine/index.js';
import { type Blamed, blame } from '../../../src/plans/changes/levels/blame.js';
import { hierarchyOf } from '../../../src/plans/changes/levels/hierarchy.js';
import { identify } from '../../../src/sources/files.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

/** A program of functions in files: the new version changes some bodies, adds functions, and calls the added ones. */
interface Program {
  readonly files: number;
  readonly functions: number;
  /** Which functions call which added one. */
  readonly calls: readonly (readonly [caller: number, added: number])[];
  /** What must be there for the failure: numbers of functions whose body is new. */
  readonly planted: readonly number[];
}

const programs: fc.Arbitrary<Program> = fc
  .record({ files: fc.integer({ min: 1, max: 4 }), functions: fc.integer({ min: 2, max: 12 }) })
  .chain(({ files, functions }) =>
    fc.record({
      files: fc.constant(files),
      functions: fc.constant(functions),
      calls: fc.array(fc.tuple(fc.nat(functions - 1), fc.nat(5)), { maxLength: 6 }),
      planted: fc.uniqueArray(fc.nat(functions - 1), { minLength: 1, maxLength: 2 }),
    }),
  );

const filler = ['// nothing here', '//', '// changes,', '//', '// so that functions', '//', '// are apart', '//'];

function sourceOf({ files, functions, calls }: Program, isNew: boolean): Artifact {
  const added = [...new Set(calls.map(([, each]) => each))];
  const texts = Array.from({ length: files }, (_, file) => {
    const lines: string[] = [];
    for (const each of isNew ? added.filter(one => one % files === file) : [])
      lines.push(`function added${each}() {`, `  return ${each};`, '}', ...filler);
    lines.push('// the old functions', ...filler);
    for (let i = file; i < functions; i += files) {
      const called = isNew ? calls.filter(([caller]) => caller === i).map(([, each]) => `added${each}()`) : [];
      lines.push(
        `function f${i}() {`,
        `  return [${isNew ? `'new ${i}'` : `'old ${i}'`}].concat(${called.join(', ')});`,
        '}',
      );
      lines.push(...filler);
    }
    return [`file${file}.js`, { kind: 'file' as const, bytes: Buffer.from(`${lines.join('\n')}\n`) }] as const;
  });
  return { files: inOrder(texts) };
}

/** Unresolved, with the name, if a function is called that is not there; fails if all planted bodies are new. */
function judge(program: Program): (artifact: Artifact) => { readonly outcome: Outcome; readonly reason?: string } {
  return ({ files }) => {
    const text = [...files.values()]
      .map(entry => (entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : ''))
      .join('');
    const defined = new Set([...text.matchAll(/function (\w+)/g)].map(([, name]) => name));
    const missing = [...text.matchAll(/(added\d+)\(\)/g)].find(([, name]) => !defined.has(name))?.[1];
    if (missing) return { outcome: 'unresolved', reason: `ReferenceError: ${missing} is not defined` };
    return { outcome: program.planted.every(each => text.includes(`'new ${each}'`)) ? 'fail' : 'pass' };
  };
}

async function blamed(program: Program, workers = 1) {
  const ask = judge(program);
  const { levels, changes } = await hierarchyOf(sourceOf(program, false), sourceOf(program, true), 'hunk');
  const counter = new Counter();
  let asked = 0;
  const test = async (artifact: Artifact) => {
    asked++;
    return ask(artifact);
  };
  const search = blame(levels, { suspects: all(changes.count) }, test, { identify, counter, workers });
  const transcript: string[] = [];
  let step = await search.next();
  for (; !step.done; step = await search.next())
    if (step.value.type === 'answered') transcript.push(`${step.value.configuration.join()} ${step.value.outcome}`);
  const outcomeOf = (configuration: Configuration): Outcome => {
    const artifact = levels[0].circumstance.build(configuration);
    return artifact ? ask(artifact).outcome : 'unresolved';
  };
  return { found: step.value as Blamed, asked, transcript, outcomeOf, count: changes.count };
}

test('with definitions and uses: it ends within 4·(c·log2 n + c + 1) tests, and cause and revert are minimal by brute force', async () => {
  await fc.assert(
    fc.asyncProperty(programs, async program => {
      const { found, asked, outcomeOf, count } = await blamed(program);
      expect(found.ended).toBe('done');
      const causes = found.causes.map(({ changes }) => changes);
      const c = causes.reduce((sum, set) => sum + [...deltasOf(set)].length, 0);
      expect(asked).toBeLessThanOrEqual(4 * (c * Math.ceil(Math.log2(count + 1)) + c + 1));
      for (const cause of causes) {
        expect(outcomeOf(cause)).toBe('fail');
        for (const delta of deltasOf(cause)) expect(outcomeOf(minus(cause, of([delta])))).not.toBe('fail');
      }
      const whole = all(count);
      expect(outcomeOf(minus(whole, found.back))).toBe('pass');
      for (const delta of deltasOf(found.back))
        expect(outcomeOf(minus(whole, minus(found.back, of([delta]))))).not.toBe('pass');
    }),
    { numRuns: 60 },
  );
});

test('the transcript and the answer are the same on 1, 2 and 8 workers', async () => {
  await fc.assert(
    fc.asyncProperty(programs, async program => {
      const [one, two, eight] = await Promise.all([1, 2, 8].map(workers => blamed(program, workers)));
      for (const other of [two!, eight!]) {
        expect(other.transcript).toEqual(one!.transcript);
        expect(other.found.causes).toEqual(one!.found.causes);
        expect(other.found.back).toEqual(one!.found.back);
      }
    }),
    { numRuns: 15 },
  );
});
