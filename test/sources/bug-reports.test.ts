import { expect, test } from 'vitest';
import { codeBlocks } from '../../src/sources/bug-reports.js';

test('fenced and indented blocks are code, and text is not', () => {
  const text = [
    '# It crashes',
    'Run this:',
    '```c',
    'int x;',
    '',
    '    y',
    '```',
    'or',
    '',
    '    indented',
    '      more',
    '',
    'and',
    '~~~~',
    '```',
    '~~~~',
  ].join('\r\n');
  expect(codeBlocks(text)).toEqual(['int x;\n\n    y', 'indented\n  more\n', '```']);
});

test('a fence that is not closed ends with the report', () => {
  expect(codeBlocks('```\na\nb')).toEqual(['a\nb']);
  expect(codeBlocks('')).toEqual([]);
});
