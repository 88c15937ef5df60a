#!/usr/bin/env node
// Prints an HTML page as text, one line per block: a small renderer with the defect of Mozilla bug 24735.
// Usage: node print.js page.html
import { readFileSync } from 'node:fs';

const page = readFileSync(process.argv[2], 'utf8');
const blocks = new Set(['P', 'TR', 'TABLE', 'H1', 'H2', 'H3', 'LI', 'OL', 'UL', 'HR', 'BR', 'FORM', 'BODY', 'ADDRESS']);
const lines = [''];

/** Draws what a form control looks like on paper. */
const controls = {
  INPUT: ({ TYPE = 'text', SIZE = '20' }) => (TYPE === 'text' ? '_'.repeat(Number(SIZE)) : '[ ]'),
  SELECT: ({ frame }) => frame.border.repeat(12), // a list box has no frame when there is no window
};

function attributesOf(text) {
  const attributes = {};
  for (const [, name, quoted, bare] of text.matchAll(/([\w-]+)(?:=(?:"([^"]*)"|([^\s">]+)))?/g)) attributes[name.toUpperCase()] = quoted ?? bare ?? '';
  return attributes;
}

for (const [, closing, name, rest, text] of page.matchAll(/<(\/?)([A-Za-z][\w]*)([^>]*)>|([^<]+)/g)) {
  if (text !== undefined) lines[lines.length - 1] += text.replace(/\s+/g, ' ');
  else if (blocks.has(name.toUpperCase())) lines.push('');
  else if (!closing) lines[lines.length - 1] += controls[name.toUpperCase()]?.(attributesOf(rest)) ?? '';
}
console.log(lines.filter(line => line.trim() !== '').join('\n'));
