import { expect, test } from 'vitest';
import { between, differing } from '../../src/circumstances/sequence.js';

test('Of a long element that replaces another, people see what differs; of one alone, the beginning.', () => {
  const long = (middle: string) => `${'a'.repeat(5000)}${middle}${'b'.repeat(5000)}\n`;
  const replaced = between([long('one')], [long('two')]);
  const words = Array.from({ length: replaced.count }, (_, delta) => replaced.describe!(delta));
  expect(words.join('').length).toBeLessThan(1000);
  const whole = differing(
    'line',
    [
      { kind: 'gone', element: long('one') },
      { kind: 'new', element: long('two') },
    ],
    [0, 0],
  );
  expect(whole.describe!(0)).toBe(
    `-…${'a'.repeat(30)}one${'b'.repeat(30)}…\n+…${'a'.repeat(30)}two${'b'.repeat(30)}…\n`,
  );
});
