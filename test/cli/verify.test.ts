import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Line } from '../../src/run/journal-file.js';
import { boom, culprit, folderWith } from './culprit.js';
import { codeOf, forge, linesIn } from './forged-journal.js';

const input = [...Array.from({ length: 12 }, (_, i) => `line ${i}`), 'say BOOM twice', 'the end'].join('\n');

async function reduced(more: readonly string[] = []): Promise<string> {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  const args = ['reduce', 'in.txt', '-j', '1', '--timeout', '60', '--run', 'r', ...more, '--', './t.sh', '{}'];
  const { code, stderr } = await culprit(args, { cwd });
  expect(stderr).toContain('1-minimal');
  expect(code).toBe(0);
  return cwd;
}

const verify = (cwd: string, ...args: readonly string[]) => culprit(['verify', ...args], { cwd });
const journalOf = (cwd: string): string => join(cwd, 'r/journal.jsonl');
const linesOf = (cwd: string) => linesIn(journalOf(cwd));
const write = (cwd: string, lines: readonly Line[]) => forge(journalOf(cwd), lines);

test('a finished run holds: offline, by testing again, and as a certificate elsewhere', async () => {
  const cwd = await reduced();
  const offline = await verify(cwd, 'r');
  expect(offline).toMatchObject({ code: 0 });
  expect(offline.stderr).toContain('Holds. 1-minimal by');
  const again = await verify(cwd, 'r', '--rerun', 'all', '--certificate', 'c.json', '--json');
  expect(again.code).toBe(0);
  const { state, neighbours, tested } = JSON.parse(again.stdout);
  expect({ state, tested }).toEqual({ state: 'holds', tested: neighbours + 1 });
  const elsewhere = folderWith({ 'c.json': readFileSync(join(cwd, 'c.json')), 't.sh': boom });
  expect(await verify(elsewhere, 'c.json')).toMatchObject({ code: 0 });
  expect(await verify(elsewhere, 'c.json', '--rerun', 'sample=2')).toMatchObject({ code: 0 });
  // The certificate is somebody's file now.
  expect(await verify(cwd, 'r', '--certificate', 'c.json')).toMatchObject({ code: 2 });
});

test('a result is checked against the run that wrote it, and refused if it is one byte longer', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  await culprit(['reduce', 'in.txt', '--timeout', '60', '--', './t.sh', '{}'], { cwd });
  expect(await verify(cwd, 'in.reduced.txt')).toMatchObject({ code: 0 });
  appendFileSync(join(cwd, 'in.reduced.txt'), 'x');
  const longer = await verify(cwd, 'in.reduced.txt');
  expect(longer.code).toBe(1);
  expect(longer.stderr).toContain('in.reduced.txt is not the result of .culprit/in-1');
  // The run itself still holds, until its own copy is changed.
  expect(await verify(cwd)).toMatchObject({ code: 0 });
  appendFileSync(join(cwd, '.culprit/in-1/best/in.txt'), 'x');
  expect(await verify(cwd)).toMatchObject({ code: 1 });
});

test('a formatted result counts as the result', async () => {
  const cwd = folderWith({
    'in.json': '{"a": [1, 2, 3], "b": {"BOOM": [4, 5]}, "c": null}',
    't.sh':
      '#!/bin/sh\nnode -e \'JSON.parse(require("fs").readFileSync(process.argv[1]))\' "$1" || exit 0\ngrep -q BOOM "$1" && { echo Error: boom >&2; exit 3; }\nexit 0\n',
  });
  const { stderr } = await culprit(['reduce', 'in.json', '--timeout', '60', '--', './t.sh', '{}'], { cwd });
  expect(stderr).toContain('1-minimal');
  expect(await verify(cwd, 'in.reduced.json')).toMatchObject({ code: 0 });
});

test('one flipped verdict is refused, whichever it is, with right sums too', async () => {
  const cwd = await reduced(['--by', 'line']);
  const lines = linesOf(cwd);
  const copy = folderWith({ 't.sh': boom });
  let flipped = 0;
  for (const [at, line] of lines.entries()) {
    if (!('test' in line)) continue;
    cpSync(join(cwd, 'r'), join(copy, 'r'), { recursive: true });
    const outcome = line.verdict.outcome === 'fail' ? 'pass' : 'fail';
    write(copy, lines.with(at, { ...line, verdict: { ...line.verdict, outcome } }));
    expect({ at, code: await codeOf(join(copy, 'r')) }).toEqual({ at, code: 1 });
    flipped++;
    rmSync(join(copy, 'r'), { recursive: true });
  }
  expect(flipped).toBeGreaterThan(5);
});

test('one flipped neighbour is refused with the delta named', async () => {
  const cwd = await reduced();
  await verify(cwd, 'r', '--certificate', 'c.json');
  const text = readFileSync(join(cwd, 'c.json'), 'utf8');
  writeFileSync(join(cwd, 'flipped.json'), text.replace(/: "pass"/, ': "fail"'));
  const flipped = await verify(cwd, 'flipped.json');
  expect(flipped.code).toBe(1);
  expect(flipped.stderr).toMatch(/can be removed: the result without it fails too/);
  writeFileSync(join(cwd, 'fewer.json'), text.replace(/\n\s*"[\w-]{24}": "pass",/, ''));
  expect(await verify(cwd, 'fewer.json')).toMatchObject({ code: 1 });
  writeFileSync(join(cwd, 'cut.json'), text.slice(0, 300));
  const cut = await verify(cwd, 'cut.json');
  expect(cut.code).toBe(1);
  expect(cut.stderr).toContain("can't be read as a certificate");
});

test('one missing line is refused, whichever it is, with right sums too', async () => {
  const cwd = await reduced(['--by', 'line']);
  const lines = linesOf(cwd);
  const path = join(cwd, 'r/journal.jsonl');
  const written = readFileSync(path, 'utf8').trimEnd().split('\n');
  const codes = new Set<number>();
  for (const at of lines.keys()) {
    // The last line can be missing without a trace in the sums; so can the first, but then it is no journal.
    writeFileSync(path, `${written.toSpliced(at, 1).join('\n')}\n`);
    const line = lines[at]!;
    // What the first run saw is for people, and is no part of the claim.
    const isSaid = 'noted' in line && line.noted !== 'first run';
    const isBegan = 'event' in line && line.event.type === 'began';
    expect({ at, code: await codeOf(join(cwd, 'r')) }).not.toMatchObject({ code: 0 });
    if (at === 0 || isSaid || isBegan) continue;
    write(cwd, lines.toSpliced(at, 1));
    const code = await codeOf(join(cwd, 'r'));
    expect({ at, line, code }).not.toMatchObject({ code: 0 });
    codes.add(code);
  }
  expect([...codes].sort()).toEqual([1, 3]);
});

test('a journal cut at each line, or inside of one, claims nothing', async () => {
  const cwd = await reduced(['--by', 'line']);
  const path = join(cwd, 'r/journal.jsonl');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  for (let kept = 0; kept < lines.length; kept++) {
    writeFileSync(
      path,
      lines
        .slice(0, kept)
        .map(line => `${line}\n`)
        .join(''),
    );
    expect({ kept, code: await codeOf(join(cwd, 'r')) }).toEqual({ kept, code: kept === 0 ? 1 : 3 });
  }
  writeFileSync(path, `${lines.join('\n').slice(0, -9)}`);
  expect(await verify(cwd, 'r')).toMatchObject({ code: 1 });
});

test('another grammar cuts the result into other deltas: nothing is said to hold', async () => {
  const cwd = await reduced();
  await verify(cwd, 'r', '--certificate', 'c.json');
  const [header, ...rest] = linesOf(cwd) as [Extract<Line, { culprit: 2 }>, ...Line[]];
  const versions = { ...header.versions, 'web-tree-sitter': '0.0.1' };
  write(cwd, [{ ...header, versions }, ...rest]);
  const run = await verify(cwd, 'r');
  expect(run.code).toBe(3);
  expect(run.stderr).toContain('web-tree-sitter 0.0.1, now');
  const text = readFileSync(join(cwd, 'c.json'), 'utf8').replace(/("web-tree-sitter": ")[^"]+/, '$10.0.1');
  writeFileSync(join(cwd, 'c.json'), text);
  const certificate = await verify(cwd, 'c.json');
  expect(certificate.code).toBe(1);
  expect(certificate.stderr).toContain('c.json was changed');
});

test('a result that no longer fails is refuted by testing it again', async () => {
  const cwd = await reduced();
  writeFileSync(join(cwd, 't.sh'), '#!/bin/sh\nexit 0\n');
  expect(await verify(cwd, 'r')).toMatchObject({ code: 0 });
  const again = await verify(cwd, 'r', '--rerun', 'result');
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('does not fail when it is tested again');
  writeFileSync(join(cwd, 't.sh'), '#!/bin/sh\necho "Error: boom found" >&2\nexit 3\n');
  const all = await verify(cwd, 'r', '--rerun', 'sample=1');
  expect(all.code).toBe(1);
  expect(all.stderr).toMatch(/can be removed: tested again/);
});

test('what verify cannot check is said in a sentence', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  expect(await verify(cwd, 'nowhere')).toMatchObject({ code: 2 });
  expect(await verify(cwd, 'in.txt')).toMatchObject({ code: 2 });
  expect(await verify(cwd, 'in.txt', '--rerun', 'sample=0')).toMatchObject({ code: 2 });
  await culprit(['reduce', 'in.txt', '--run', 'r', '--max-tests', '3', '--', './t.sh', '{}'], { cwd });
  const stopped = await verify(cwd, 'r');
  expect(stopped.code).toBe(3);
  expect(stopped.stderr).toContain('nothing is claimed yet');
});
