import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as culprit from '../../src/index.js';

const folder = new URL('../../src/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
  /^(library|core|strategies|engine|circumstances|reductions)\/[^/]+\.ts$/.test(file),
);

interface Example {
  readonly name: string;
  readonly file: string;
  readonly code: string;
}

/** Each `@example` block of the comment right before an exported function or class. */
const examples: readonly Example[] = sources.flatMap(file => {
  const documented =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export (?:async )?(?:function\*?|const|(?:abstract )?class) (\w+)/g;
  return [...readFileSync(new URL(file, folder), 'utf8').matchAll(documented)].flatMap(([, comment, name]) =>
    [...comment!.matchAll(/@example\s*\n\s*\* ```ts\n([\s\S]*?)\* ```/g)].map(match => ({
      name: name!,
      file,
      code: match[1]!.replace(/^\s*\* ?/gm, ''),
    })),
  );
});

/** The blocks of the page on the library, but for the one that only imports. */
const page: readonly Example[] = [
  ...readFileSync(new URL('../docs/library.md', folder), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g),
]
  .filter(match => !match[1]!.startsWith('import'))
  .map((match, i) => ({ name: `block ${i + 1}`, file: 'docs/library.md', code: match[1]! }));

test('every public function has an example', () => {
  const shown = new Set(examples.map(example => example.name));
  const missing = Object.entries(culprit)
    .filter(([name, value]) => typeof value === 'function' && !shown.has(name))
    .map(([name]) => `${name} is public (src/index.ts) and has no @example in the comment before it.`);
  expect(missing).toEqual([]);
});

test.each([...examples.filter(({ name }) => name in culprit), ...page])(
  'the example of $name in $file does what it says',
  async ({ code }) => {
    const { body, count } = checked(code);
    expect(count, 'an example claims something: `size([0, 3]); // → 3`').toBeGreaterThan(0);
    const run = Object.getPrototypeOf(async () => {}).constructor(...Object.keys(culprit), 'claim', body);
    let claims = 0;
    await run(...Object.values(culprit), (value: unknown, expected: unknown) => {
      claims++;
      expect(value).toEqual(expected);
    });
    expect(claims).toBe(count);
  },
);

/** Claims are `expression; // → value` on a line of its own, or `// name: value` and `// name === value` in a comment below. */
function checked(code: string): { readonly body: string; readonly count: number } {
  let count = 0;
  const claim = (value: string, expected: string) => {
    count++;
    return `claim((${value}), (${expected}));`;
  };
  const lines = code.split('\n').map(line => {
    const arrow = /^(.*?);?\s*\/\/ → (.*)$/.exec(line);
    if (arrow) return claim(arrow[1]!, arrow[2]!);
    const comment = /^\/\/ (.*)$/.exec(line);
    if (!comment) return line;
    const named = comment[1]!.matchAll(/(\w+)(?::| ===) ('[^']*'|\[[^\]]*\]|\{[^}]*\}|[\w.]+)/g);
    return [...named].map(([, name, value]) => claim(name!, value!)).join('\n');
  });
  return { body: lines.join('\n'), count };
}
