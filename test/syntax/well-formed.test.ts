import { expect, test } from 'vitest';
import { languageNamed } from '../../src/syntax/languages/index.js';
import { syntaxOf } from '../../src/syntax/syntax.js';
import { withoutNewErrorsNearby } from '../../src/syntax/well-formed.js';

/** Functions of a text that is too large to be parsed again for each edit; with an error at its end, if asked for. */
const large = (isBroken: boolean): string =>
  Array.from({ length: 4_000 }, (_, i) => `function f${i}(a) {\n  return a + ${i};\n}\n`).join('') +
  (isBroken ? 'let = = ;\n' : '');

test.each([false, true])(
  'in a large text, an edit that breaks its function is found in that function (errors elsewhere: %s)',
  async isBroken => {
    const { grammar } = await syntaxOf(languageNamed('javascript')!);
    const text = large(isBroken);
    const at = text.indexOf('return a + 2000');
    const sound = { start: at, end: at + 'return a + 2000'.length, text: 'return 0' };
    const unsound = { ...sound, text: 'return (' };
    const whole = { start: text.indexOf('function f2000'), end: text.indexOf('function f2001'), text: '' };
    expect(await withoutNewErrorsNearby(grammar!, text, [unsound, sound, whole])).toEqual([sound, whole]);
  },
);

test('a small text is parsed as a whole', async () => {
  const { grammar } = await syntaxOf(languageNamed('javascript')!);
  const text = 'f(1);\ng(2);\n';
  const [good, bad] = [
    { start: 0, end: 5, text: '' },
    { start: 0, end: 5, text: 'f((' },
  ];
  expect(await withoutNewErrorsNearby(grammar!, text, [bad!, good!])).toEqual([good]);
});
