import { expect, test } from 'vitest';
import { wordBlocks } from '../../../src/reductions/text/word-blocks.js';
import { withoutEach } from '../without-each.js';

test('the words around a block, the lines that they are in, or all of it', () => {
  expect(withoutEach(wordBlocks('      IF (A) THEN\n      CALL B\n      ENDIF\n'))).toEqual([
    '       (A) THEN\n      CALL B\n      \n',
    '      CALL B\n',
    '',
  ]);
});

test('a block ends with the word that says what it ends, also in two words, and with words of a shell', () => {
  const blocks = (text: string) => withoutEach(wordBlocks(text)).filter((_, i) => i % 3 === 1);
  expect(blocks('module a;\nwire b;\nendmodule\n')).toEqual(['wire b;\n']);
  expect(blocks('if a then\nb;\nEND IF;\n')).toEqual(['b;\n']);
  expect(blocks('do\nif x\na\nfi\ndone\n')).toEqual(['do\na\ndone\n', 'if x\na\nfi\n']);
});

test('a bare end ends what began last, and blocks nest', () => {
  const text = 'begin\n  case x\n    a;\n  end\nend\n';
  expect(withoutEach(wordBlocks(text))).toContain('begin\n    a;\nend\n');
  expect(withoutEach(wordBlocks(text))).toContain('  case x\n    a;\n  end\n');
});

test('in one line, only the words go', () => {
  expect(withoutEach(wordBlocks('x = begin 1 end;'))).toEqual(['x =  1 ;', '']);
});

test('words that begin nothing, and a long text, have no blocks', () => {
  expect(wordBlocks('the end of ending')).toBeUndefined();
  expect(wordBlocks('begin end '.repeat(1_000))).toBeUndefined();
});
