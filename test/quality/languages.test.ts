import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { cases } from './languages.js';
import { reach } from './reach.js';
const only = process.env.ONLY?.split(',');
for (const { language, file, fails } of cases.filter(c => !only || only.includes(c.language)))
  test(`${language}`, async () => {
    const text = readFileSync(new URL(`samples/${language}.txt`, import.meta.url), 'utf8');
    const f = await fails();
    const t0 = Date.now();
    const s = await reach(file, text, f);
    const t1 = Date.now();
    const l = await reach(file, text, f, { level: 'lexical' });
    console.log([language, text.length, s.bytes, s.tests, l.bytes, l.tests, t1 - t0, Date.now() - t1, JSON.stringify(s.text), JSON.stringify(l.text)].join(' | '));
  });
