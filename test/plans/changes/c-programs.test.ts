import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { all, type Configuration, deltasOf, minus, type Outcome, of, size } from '../../../src/core/index.js';
import { type Blamed, blame } from '../../../src/plans/changes/levels/blame.js';
import { hierarchyOf } from '../../../src/plans/changes/levels/hierarchy.js';
import { identify } from '../../../src/sources/files.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

/** A C program of functions in files. The new version adds parameters and functions, and renames members and macros. */
interface Program {
  readonly files: number;
  readonly functions: number;
  /** Functions that get a parameter: header, definition and calls do not compile without each other. */
  readonly widened: readonly number[];
  /** Which function calls which of those before it. */
  readonly calls: readonly (readonly [caller: number, called: number])[];
  /** Which functions use the renamed member, the renamed macro, and the added function. */
  readonly members: readonly number[];
  readonly macros: readonly number[];
  readonly helped: readonly number[];
  /** What must be there for the failure: functions whose value is new. */
  readonly planted: readonly number[];
}

const programs: fc.Arbitrary<Program> = fc
  .record({ files: fc.integer({ min: 1, max: 3 }), functions: fc.integer({ min: 2, max: 8 }) })
  .chain(({ files, functions }) => {
    const some = fc.uniqueArray(fc.nat(functions - 1), { maxLength: 4 });
    return fc.record({
      files: fc.constant(files),
      functions: fc.constant(functions),
      widened: some,
      calls: fc.array(fc.tuple(fc.nat(functions - 1), fc.nat(functions - 1)), { maxLength: 5 }),
      members: some,
      macros: some,
      helped: some,
      planted: fc.uniqueArray(fc.nat(functions - 1), { minLength: 1, maxLength: 2 }),
    });
  });

function sourceOf(program: Program, isNew: boolean): Artifact {
  const { files, functions, widened, calls, members, macros, helped } = program;
  const isWide = (i: number) => isNew && widened.includes(i);
  const header = ['struct state {', `  int ${isNew ? 'total' : 'count'};`, '  int last;', '};', ''];
  header.push(`#define ${isNew ? 'OFFSET' : 'BASE'} 3`, '', '/* all functions */');
  for (let i = 0; i < functions; i++) header.push(`int f${i}(int x${isWide(i) ? ', int more' : ''});`, `/* ${i} */`);
  if (isNew && helped.length > 0) header.push('int helper(int x);');
  const bodies = Array.from({ length: files }, (_, file) => {
    const lines = ['#include "all.h"', '', 'struct state s;', ''];
    if (isNew && helped.length > 0 && file === 0) lines.push('int helper(int x)', '{', '  return x;', '}', '');
    for (let i = file; i < functions; i += files) {
      lines.push(`int f${i}(int x${isWide(i) ? ', int more' : ''})`, '{', '  int sum = 0;');
      if (members.includes(i)) lines.push(`  s.${isNew ? 'total' : 'count'} += x;`, '  sum += s.last;');
      if (macros.includes(i)) lines.push(`  sum += ${isNew ? 'OFFSET' : 'BASE'};`, '  sum += 2;');
      for (const [, called] of calls.filter(([caller]) => caller === i))
        lines.push(`  sum += f${called}(x${isWide(called) ? ', 0' : ''});`, '  sum += 1;');
      if (isNew && helped.includes(i)) lines.push('  sum += helper(x);');
      lines.push('  sum *= 2;', `  sum += ${isNew ? 9000 + i : 1000 + i};`, '  return sum;', '}', '');
    }
    return [`m${file}.c`, lines] as const;
  });
  const texts = [['all.h', header] as const, ...bodies];
  return {
    files: inOrder(texts.map(([name, lines]) => [name, { kind: 'file', bytes: Buffer.from(`${lines.join('\n')}\n`) }])),
  };
}

/** What a compiler and a linker would say: the first name that is missing, there twice, or called in another way. */
function complaintOf(texts: readonly string[]): string | undefined {
  const whole = texts.join('\n');
  const arity = (list: string) => list.split(',').length;
  const declared = new Map<string, number>();
  const defined = new Set<string>();
  for (const [, name, list, end] of whole.matchAll(/^int (\w+)\(([^)]*)\)(;|$)/gm)) {
    if ((declared.get(name!) ?? arity(list!)) !== arity(list!)) return `conflicting types for '${name}'`;
    declared.set(name!, arity(list!));
    if (end !== ';' && defined.has(name!)) return `redefinition of '${name}'`;
    if (end !== ';') defined.add(name!);
  }
  for (const [, name, list] of whole.matchAll(/\+= (\w+)\(([^)]*)\)/g)) {
    if (!declared.has(name!)) return `implicit declaration of function '${name}'`;
    if (!defined.has(name!)) return `undefined reference to \`${name}'`;
    if (declared.get(name!) !== arity(list!)) return `too few arguments to function '${name}'`;
  }
  for (const [, name] of whole.matchAll(/s\.(\w+)/g))
    if (!new RegExp(`int ${name};`).test(whole)) return `'struct state' has no member named '${name}'`;
  for (const [, name] of whole.matchAll(/\+= (OFFSET|BASE)/g))
    if (!whole.includes(`#define ${name}`)) return `'${name}' undeclared`;
  return undefined;
}

function judge({ planted }: Program): (artifact: Artifact) => { readonly outcome: Outcome; readonly reason?: string } {
  return ({ files }) => {
    const texts = [...files.values()].map(entry => (entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : ''));
    const complaint = complaintOf(texts);
    if (complaint) return { outcome: 'unresolved', reason: `does not build: error: ${complaint}` };
    return { outcome: planted.every(each => texts.join('').includes(`+= ${9000 + each};`)) ? 'fail' : 'pass' };
  };
}

async function blamed(program: Program, granularity: 'hunk' | 'line') {
  const ask = judge(program);
  const { levels, changes } = await hierarchyOf(sourceOf(program, false), sourceOf(program, true), granularity);
  const tests = { asked: 0, unresolved: 0 };
  const test = async (artifact: Artifact) => {
    const verdict = ask(artifact);
    tests.asked++;
    if (verdict.outcome === 'unresolved') tests.unresolved++;
    return verdict;
  };
  const search = blame(levels, { suspects: all(changes.count) }, test, { identify, workers: 1 });
  let step = await search.next();
  while (!step.done) step = await search.next();
  const found = step.value as Blamed;
  const outcomeOf = (configuration: Configuration): Outcome => {
    const artifact = found.level.circumstance.build(configuration);
    return artifact ? ask(artifact).outcome : 'unresolved';
  };
  return { found, tests, outcomeOf, count: changes.count };
}

for (const granularity of ['hunk', 'line'] as const)
  test(`a C program by ${granularity}: at most 4·(c·log2 n + c + u + 1) tests, with a minimal cause and revert by brute force`, async () => {
    await fc.assert(
      fc.asyncProperty(programs, async program => {
        const { found, tests, outcomeOf, count } = await blamed(program, granularity);
        expect(found.ended).toBe('done');
        const causes = found.causes.map(({ changes }) => changes);
        const c = causes.reduce((sum, set) => sum + size(set), 0);
        expect(tests.asked).toBeLessThanOrEqual(4 * (c * Math.ceil(Math.log2(count + 1)) + c + tests.unresolved + 1));
        for (const cause of causes) {
          expect(outcomeOf(cause)).toBe('fail');
          for (const delta of deltasOf(cause)) expect(outcomeOf(minus(cause, of([delta])))).not.toBe('fail');
        }
        const whole = all(found.level.circumstance.count);
        expect(outcomeOf(minus(whole, found.back))).toBe('pass');
        for (const delta of deltasOf(found.back))
          expect(outcomeOf(minus(whole, minus(found.back, of([delta]))))).not.toBe('pass');
        // What the compiler checks is known beforehand: hardly any test is spent on what does not compile.
        expect(tests.unresolved).toBeLessThanOrEqual(tests.asked / 2);
      }),
      { numRuns: 40 },
    );
  });
