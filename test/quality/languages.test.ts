import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cases } from './languages.js';
import { reach } from './reach.js';
import { compareWithTable } from './table.js';

const sampleOf = (language: string): string =>
  readFileSync(new URL(`samples/${language}.txt`, import.meta.url), 'utf8');

for (const { language, file, fails } of cases)
  test(`${language}: structure ends no larger than recorded, and no larger than letters alone`, async () => {
    const text = sampleOf(language);
    const isFailing = await fails();
    const structural = await reach(file, text, isFailing);
    const lexical = await reach(file, text, isFailing, { level: 'lexical' });
    expect(structural.bytes).toBeLessThanOrEqual(lexical.bytes);
    compareWithTable({ language, before: Buffer.byteLength(text), structural, lexical });
  });
