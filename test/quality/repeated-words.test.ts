import { expect, test } from 'vitest';
import { reach } from './reach.js';

const filler = (line: (i: number) => string): string => Array.from({ length: 40 }, (_, i) => line(i)).join('');

test('labels of a text without a grammar get short names, at all their places', async () => {
  const text = `${filler(i => `\tmovl\t$${i}, %eax\n`)}print_number:\n\tret\nbuffer_end:\n\t.set gap, buffer_end - print_number\n${filler(i => `\t.byte ${i}\n`)}`;
  const fails = (one: string): boolean => {
    const found = /\.set\s+gap,\s*(\w+)\s*-\s*(\w+)/.exec(one);
    return found !== null && found[1] !== found[2] && [1, 2].every(i => new RegExp(`^${found[i]}:`, 'm').test(one));
  };
  expect((await reach('a.s', text, fails)).bytes).toBeLessThanOrEqual(21);
});

test('in XML a quoted name and a prefix get shorter wherever they stand', async () => {
  const text = `<xsl:sheet xmlns:xsl="u">${filler(i => `<xsl:if test="${i}"/>`)}<xsl:template name="title.page"/><xsl:call name="title.page"/></xsl:sheet>`;
  const fails = (one: string): boolean => {
    const prefix = /xmlns(?::(\w+))?="u"/.exec(one);
    const tag = (name: string): RegExp =>
      new RegExp(`<${prefix?.[1] === undefined ? '' : `${prefix[1]}:`}${name} name="(\\w[^"]*)"/>`);
    const [made, called] = [tag('template').exec(one), tag('call').exec(one)];
    return prefix !== null && made !== null && called !== null && made[1] === called[1];
  };
  const { text: left } = await reach('a.xml', text, fails);
  expect(left).not.toMatch(/xsl|title/);
});

test('a clause goes in a language that nobody knows', async () => {
  const text = `${filler(i => `set v${i} ${i}\n`)}wait where total is near 5 now\nraise total\n`;
  const fails = (one: string): boolean =>
    /^wait (where total is near 5 )?now$/m.test(one) && /^raise total$/m.test(one);
  expect((await reach('a.rules', text, fails)).text.trim()).toBe('wait now\nraise total');
});
