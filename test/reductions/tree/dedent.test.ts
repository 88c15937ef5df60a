import { expect, test } from 'vitest';
import { structureOf } from '../../../src/reductions/tree/index.js';
import { apply } from '../../../src/syntax/text-cut.js';

/** Everything that hoisting makes of a text. */
async function hoisted(path: string, text: string): Promise<readonly string[]> {
  const { coarse } = await structureOf(path);
  const edits = await coarse.find(({ name }) => name === 'hoist')!.edits(text);
  return edits.map(edit => apply(text, edit));
}

test('a block of Python that takes the place of its statement is indented as the statement was', async () => {
  expect(await hoisted('a.py', 'if x:\n    a()\n    b()\n')).toContain('a()\nb()\n');
  expect(await hoisted('a.py', 'class a:\n    @b\n    def c():\n        d()\n')).toContain('@b\ndef c():\n    d()\n');
  expect(await hoisted('a.py', 'def f():\n\tif x:\n\t\ta()\n\t\tb()\n')).toContain('def f():\n\ta()\n\tb()\n');
});

test('lines of a text literal stay as they are when their block moves', async () => {
  const text = 'if x:\n    a("""\n    one\n    """)\n    b()\n';
  expect(await hoisted('a.py', text)).toContain('a("""\n    one\n    """)\nb()\n');
});

test('in a language with brackets no line moves', async () => {
  expect(await hoisted('a.js', 'if (x) {\n    a();\n    b();\n}\n')).toContain('a();\n    b();\n');
});
