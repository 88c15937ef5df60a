import { expect, test } from 'vitest';
import { acrossHunks } from '../../../src/circumstances/changes/blocks.js';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

const filesOf = (text: string) => inOrder([['a.js', { kind: 'file', bytes: Buffer.from(text) }]]);

/** The first lines of the hunks of each group. */
function groupsBetween(old: string, now: string) {
  const changes = changesBetween(filesOf(old), filesOf(now), { granularity: 'hunk' });
  const { newLines } = changes.files[0]!;
  const hunks = [...changes.changes.keys()].map(hunk => [hunk]);
  return acrossHunks(changes, hunks).map(group =>
    group.map(hunk => newLines[changes.changes[hunk]!.parts[0]!.newStart]!.trim()),
  );
}

const counting = (counter: string, last: string) => `function f(list) {
  for (let ${counter} = 0; ${counter} < 9; ${counter}++) {
    begin();

    log(${counter});
    end();
    out(${counter});
  }
  return ${last};
}
`;

test('the hunks of a loop whose counter has another name are one group, and what is behind it is another one', () => {
  expect(groupsBetween(counting('i', '0'), counting('at', '1'))).toEqual([
    ['for (let at = 0; at < 9; at++) {', 'log(at);', 'out(at);'],
    ['return 1;'],
  ]);
});

test('hunks at one indentation are apart, and so is what is behind the end of a block', () => {
  const text = (n: number) => `a(${n});\nb();\nc(${n});\nd();\nif (d(${n})) {\n  e();\n}\nif (f) {\n  g(${n});\n}\n`;
  expect(groupsBetween(text(1), text(2))).toEqual([['a(2);'], ['c(2);'], ['if (d(2)) {'], ['g(2);']]);
});
