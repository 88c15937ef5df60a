import { expect, test } from 'vitest';
import { structureOf } from '../../src/reductions/tree/index.js';

test.each(['a.xml', 'a.js', 'a.json', 'a.html'])('An empty %s has no other layout.', async path => {
  const { pretty } = await structureOf(path, {});
  expect(await pretty('')).toBeUndefined();
  expect(await pretty('\n')).toBeUndefined();
});
