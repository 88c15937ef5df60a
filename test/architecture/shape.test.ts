/** The shape of the sources: no long parameter lists, short command files, and one sentence at the top of every file. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSources } from './imports.js';

const sources = readSources(fileURLToPath(new URL('../../src', import.meta.url)));
const most = 4;

/**
 * Functions with more parameters than they should have. The list may only get shorter: a name that is no longer needed fails the
 * test. `open` and its callers run for every node of a text, and an object there costs ten times the rest.
 */
const long: Readonly<Record<string, readonly string[]>> = {
  'core/diff.ts': ['middle', 'furthest'],
  'core/lookahead.ts': ['stepsAhead'],
  'syntax/text-cut.ts': ['keepOnly'],
  'syntax/tree-builder.ts': ['open', 'copyTree', 'copyNode'],
  'circumstances/changes/changes.ts': ['grouped'],
  'circumstances/traffic/fields.ts': ['builderOf'],
  'cli/explain/explain.ts': ['json'],
  'oracle/browser/replay.ts': ['replay'],
  'oracle/command/command.ts': ['#runIn'],
  'oracle/coverage/suspects.ts': ['ranIn'],
  'oracle/coverage/suspicion.ts': ['suspicion'],
  'oracle/http/sending.ts': ['sendAll'],
  'oracle/signature/backtrace.ts': ['nativeBacktrace', 'gdb'],
  'plans/changes/commits.ts': ['firstBadCommit'],
  'plans/changes/ends.ts': ['checkOld'],
  'plans/changes/executed.ts': ['judged', 'coverageOf'],
  'plans/changes/history.ts': ['inHistory', 'narrowed'],
  'plans/changes/plain.ts': ['plain', 'search'],
  'plans/changes/search.ts': ['searching'],
  'plans/changes/searching.ts': ['searching'],
  'plans/schedules/search.ts': ['pass'],
  'plans/tests/first-run.ts': ['dependent'],
  'reductions/tree/bind-arguments.ts': ['passed'],
  'reductions/tree/hoist.ts': ['survivors'],
  'sources/packages/project.ts': ['install'],
  'sources/packages/upgrades.ts': ['isInside'],
  'sources/recording/playwright-steps.ts': ['elementSteps'],
};

function longIn(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && node.parameters.filter(each => each.name.getText() !== 'this').length > most) {
      const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
      found.push(named?.getText() ?? 'a function without a name');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test(`no function has more than ${most} parameters, except those that are listed`, () => {
  const found = Object.fromEntries(
    [...sources].map(([file, text]) => [file, longIn(file, text)] as const).filter(([, names]) => names.length > 0),
  );
  expect(found).toEqual(long);
});

test('a planted function with five parameters is seen, as a function, a method and an arrow', () => {
  const five = '(a, b, c, d, e)';
  const text = `function one${five} {} class C { two${five} {} } const three = ${five} => a; const four = (a, b, c, d) => a;`;
  expect(longIn('planted.ts', text)).toEqual(['one', 'two', 'three']);
});

test('no command file is longer than 120 lines', () => {
  const files = [...sources].filter(([file]) => file.startsWith('cli/commands/'));
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter(([, text]) => text.split('\n').length > 121).map(([file]) => file)).toEqual([]);
});

test('every file opens with a sentence that says what it is for', () => {
  const wrong = [...sources].filter(([, text]) => !/^(#!.*\n)?\/\*\*[\s*]+\S+ \S+ \S+/.test(text));
  expect(wrong.map(([file]) => file)).toEqual([]);
});
