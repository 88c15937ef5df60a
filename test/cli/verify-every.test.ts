/** What every command claims is recorded as data, and `verify` checks it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBrowser } from '../../src/oracle/browser/browser-path.js';
import { culprit, folderWith } from './culprit.js';
import { argsFor, everyCommand, prepareFor } from './every-command.js';
import { codeOf, forge, linesIn } from './forged-journal.js';

const isThere = (name: string) => name !== 'actions' || findBrowser() !== undefined;
const claiming = everyCommand.filter(({ name, minimal }) => minimal === undefined && isThere(name));

test.each(claiming)('$name: its claim holds, and no changed, lost or cut line is accepted', async command => {
  const cwd = folderWith();
  prepareFor(cwd);
  const how = { cwd, env: { LOG: join(cwd, 'log') } };
  const run = await culprit(argsFor(command, cwd), how);
  expect(run.code, run.stderr).toBe(0);
  const rerun = ['actions', 'schedules', 'tests'].includes(command.name) ? 'result' : 'all';
  const again = await culprit(['verify', 'r', '--rerun', rerun, '--certificate', 'c.json', '--json'], how);
  const found = JSON.parse(again.stdout);
  expect(found).toMatchObject({ state: 'holds', refuted: [], unchecked: [] });
  expect(found.tested).toBeGreaterThan(0);
  expect(found.minimal.length).toBeGreaterThan(0);

  const path = join(cwd, 'r/journal.jsonl');
  const whole = readFileSync(path);
  const lines = linesIn(path);
  const folder = join(cwd, 'r');
  for (const [at, line] of lines.entries()) {
    const isAfter = 'event' in line && line.event.type === 'ended';
    if (at > 0) {
      forge(path, lines.toSpliced(at, 1));
      expect({ at, lost: await codeOf(folder) }).not.toMatchObject({ lost: 0 });
    }
    forge(path, lines.slice(0, at));
    expect({ at, cut: await codeOf(folder) }).toEqual({ at, cut: at === 0 ? 1 : 3 });
    if (!('test' in line) || isAfter) continue;
    const outcome = line.verdict.outcome === 'fail' ? 'pass' : 'fail';
    forge(path, lines.with(at, { ...line, verdict: { ...line.verdict, outcome } }));
    expect({ at, flipped: await codeOf(folder) }).toEqual({ at, flipped: 1 });
  }
  writeFileSync(path, whole);
  expect(await codeOf(folder)).toBe(0);

  const certificate = join(cwd, 'c.json');
  expect(await codeOf(certificate)).toBe(0);
  const text = readFileSync(certificate, 'utf8');
  for (const [from, to] of [
    [/"outcome": "fail"/, '"outcome": "pass"'],
    [/"(pass|unresolved)"(,?\n {1,2}(\}|"))/, '"fail"$2'],
    [/"versions": \{/, '"versions": {"web-tree-sitter ": "0", '],
  ] as const) {
    expect(text).toMatch(from);
    writeFileSync(certificate, text.replace(from, to));
    expect(await codeOf(certificate)).toBe(1);
  }
  if (!command.output) return;
  const output = join(cwd, command.output);
  expect(existsSync(output)).toBe(true);
});

test('a neighbour that fails after all is named when it is tested again', async () => {
  const cwd = folderWith();
  prepareFor(cwd);
  const how = { cwd, env: { LOG: join(cwd, 'log') } };
  const options = everyCommand.find(({ name }) => name === 'options')!;
  expect((await culprit(argsFor(options, cwd), how)).code).toBe(0);
  writeFileSync(join(cwd, 't.sh'), '#!/bin/sh\necho "Error: boom found" >&2\nexit 3\n');
  const { code, stderr } = await culprit(['verify', 'r', '--rerun', 'all'], how);
  expect(code).toBe(1);
  expect(stderr).toContain('Tested again: option --boom can be removed: the result without it has the same outcome.');
  writeFileSync(join(cwd, 't.sh'), '#!/bin/sh\nexit 0\n');
  const gone = await culprit(['verify', 'r', '--rerun', 'result'], how);
  expect(gone.code).toBe(1);
  expect(gone.stderr).toContain('The result came out as "pass" when it was tested again, not as "fail".');
});

test('an output that somebody changed is not the result of its run', async () => {
  const cwd = folderWith();
  prepareFor(cwd);
  const how = { cwd, env: { LOG: join(cwd, 'log') } };
  const args = ['isolate', 'good.txt', 'bad.txt', '--smallest', '--', './t.sh', '{}'];
  expect((await culprit(args, how)).code).toBe(0);
  expect(await culprit(['verify', 'bad.isolated'], how)).toMatchObject({ code: 0 });
  writeFileSync(join(cwd, 'bad.isolated/failing/bad.txt'), 'BOOM and more');
  const { code, stderr } = await culprit(['verify', 'bad.isolated'], how);
  expect([code, stderr]).toEqual([1, expect.stringContaining('bad.isolated is not the result of')]);
  expect(await culprit(['verify'], how)).toMatchObject({ code: 0 });
  writeFileSync(join(cwd, '.culprit/bad-1/best/failing/bad.txt'), 'BOOM and more');
  expect(await culprit(['verify'], how)).toMatchObject({ code: 1 });
});

test('commands that claim nothing say so', async () => {
  const cwd = folderWith();
  prepareFor(cwd);
  const how = { cwd, env: { LOG: join(cwd, 'log') } };
  const triage = everyCommand.find(({ name }) => name === 'triage')!;
  expect((await culprit(argsFor(triage, cwd), how)).code).toBe(0);
  const { code, stderr } = await culprit(['verify', 'r'], how);
  expect([code, stderr]).toEqual([3, expect.stringContaining('A triage reduces many inputs')]);
});
