/** Large texts without a grammar that have an outline. */
import { expect, test } from 'vitest';
import { reach } from './reach.js';

/** A package of procedures: every name that one uses must be declared before it, and everything that begins must end. */
const procedure = (i: number) =>
  `   procedure Step_${i} (Item : Shape_${i}) is\n      Size : Count;\n   begin\n      Size := ${
    i > 2 ? `Area_${i - 3} (Item)` : 'Item'
  };\n      if Size > ${i} then\n         Report (Size);\n      end if;\n   end Step_${i};\n`;
const declarations = (i: number) => `   type Shape_${i} is new Shape;\n   Area_${i} : Count;\n`;
const numbers = Array.from({ length: 200 }, (_, i) => i);
const program = `package body Shapes is\n${numbers.map(i => declarations(i) + procedure(i)).join('')}end Shapes;\n`;

function isComplete(one: string): boolean {
  if (!/^package body Shapes is\n[\s\S]*end Shapes;\n?$/.test(one)) return false;
  const declared = new Set<string>();
  let open = 0;
  for (const line of one.split('\n')) {
    for (const [name] of line.matchAll(/\b(?:Shape|Area|Step)_\d+/g))
      if (/^\s*(?:type|Area_\d+ :|procedure)/.test(line)) declared.add(name);
    for (const [name] of line.matchAll(/\b(?:Shape|Area|Step)_\d+/g)) if (!declared.has(name)) return false;
    if (/^\s*(?:procedure|if)\b/.test(line)) open++;
    if (/^\s*end (?:if|Step)/.test(line)) open--;
    if (open < 0) return false;
  }
  return open === 0;
}

test('what one procedure of a large package needs is found by names, without a grammar', async () => {
  const fails = (one: string) => isComplete(one) && one.includes('Size := Area_77 (Item);');
  const { text, tests } = await reach('shapes.adb', program, fails);
  expect(text.split('\n').length).toBeLessThan(14);
  expect(tests).toBeLessThan(600);
});

test('a place that the failure names is found at once', async () => {
  const fails = (one: string) => isComplete(one) && one.includes('Size := Area_77 (Item);');
  const line = program.slice(0, program.indexOf('Size := Area_77')).split('\n').length;
  const { accepted } = await reach('shapes.adb', program, fails, { named: () => [{ file: 'shapes.adb', line }] });
  expect(accepted[0]!.length).toBeLessThan(500);
});
