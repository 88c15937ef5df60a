import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as culprit from '../../src/index.js';

const folder = new URL('../../src/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
  /^(library|core|strategies|engine|circumstances)\/[^/]+\.ts$/.test(file),
);

/** Each `@example` block, with the claims that its comments make: `// value: [4, 9]` or `// value === 'crash'`. */
const examples = sources.flatMap(file =>
  [...readFileSync(new URL(file, folder), 'utf8').matchAll(/@example\s*\n\s*\* ```ts\n([^]*?)\* ```/g)].map(match => ({
    file,
    code: match[1]!.replace(/^\s*\* ?/gm, ''),
  })),
);

test('there are examples to run', () => expect(examples.length).toBeGreaterThan(2));

test.each(examples)('the example in $file does what its comment says', async ({ code }) => {
  const claims = [...code.matchAll(/^\/\/ (.*)$/gm)].flatMap(match => claimsIn(match[1]!));
  expect(claims.length).toBeGreaterThan(0);
  const body = `${code}\nreturn [${claims.map(claim => claim.name).join(', ')}];`;
  const run = Object.getPrototypeOf(async () => {}).constructor(...Object.keys(culprit), body);
  const values = await run(...Object.values(culprit));
  claims.forEach((claim, i) => expect(values[i], claim.name).toEqual(claim.value));
});

function claimsIn(comment: string): readonly { name: string; value: unknown }[] {
  return [...comment.matchAll(/(\w+)(?::| ===) ('[^']*'|\[[^\]]*\]|\{[^}]*\}|[\w.]+)/g)].map(match => ({
    name: match[1]!,
    value: new Function(`return (${match[2]})`)(),
  }));
}
