import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { UserError, type Verdict } from '../../src/core/index.js';
import type { Event } from '../../src/engine/events.js';
import { type Header, Journal, readJournal } from '../../src/run/journal.js';

const header: Header = {
  culprit: 2,
  job: 'reduce',
  argv: ['reduce', 'x', '--', 'false'],
  cwd: '/',
  versions: { culprit: '0.0.0' },
};
const pass: Verdict = { outcome: 'pass' };
const fail: Verdict = { outcome: 'fail' };
const answered = (step: number): Event => ({
  type: 'answered',
  step,
  configuration: [0, step],
  outcome: 'fail',
  known: false,
});

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'journal.jsonl');
}

test('what was recorded, noted and said is there when it is opened again', () => {
  const path = place();
  const journal = Journal.create(path, header);
  journal.note('first run', { timeout: 3 });
  journal.record('a', fail);
  journal.event(answered(1));
  journal.record('b', pass);
  journal.close();
  const again = Journal.reopen(path);
  expect(again.header).toEqual(header);
  expect(again.noted('first run')).toEqual({ timeout: 3 });
  expect(again.recall('a')).toEqual(fail);
  expect(again.recall('b')).toEqual(pass);
  expect(again.recall('c')).toBeUndefined();
  again.close();
});

test('the first verdict on an artifact is law', () => {
  const path = place();
  const journal = Journal.create(path, header);
  journal.record('a', fail);
  journal.record('a', pass);
  expect(journal.recall('a')).toEqual(fail);
  journal.close();
  expect(readJournal(path).verdicts.get('a')).toEqual(fail);
});

test('a journal cut off at any byte opens, replays what is whole, and comes to the same lines', () => {
  const path = place();
  const events = [1, 2, 3, 4].map(answered);
  const write = (journal: Journal) => {
    for (const event of events) {
      journal.record(`t${(event as { step: number }).step}`, fail);
      journal.event(event);
    }
    journal.close();
  };
  const clock = () => 0;
  write(Journal.create(path, header, clock));
  const whole = readFileSync(path);
  const first = whole.indexOf(10) + 1;
  fc.assert(
    fc.property(fc.integer({ min: first, max: whole.length }), cut => {
      writeFileSync(path, whole.subarray(0, cut));
      const journal = Journal.reopen(path, clock);
      const known = events.filter(event => journal.recall(`t${(event as { step: number }).step}`));
      write(journal);
      expect(readFileSync(path, 'utf8')).toBe(whole.toString());
      expect(known.length).toBe(
        whole.subarray(0, cut).toString().split('"test"').length - 1 - (cutsATest(whole, cut) ? 1 : 0),
      );
    }),
    { numRuns: 200 },
  );
});

/** Whether the last line that is left is a verdict and not whole. */
const cutsATest = (whole: Buffer, cut: number): boolean => {
  const last = whole.subarray(whole.lastIndexOf(10, cut - 1) + 1, cut).toString();
  return last.includes('"test"');
};

test('the time of a journal is that of its legs, and not of the pauses between them', () => {
  const path = place();
  let now = 1_000;
  const clock = () => now;
  const first = Journal.create(path, header, clock);
  now += 500;
  first.event(answered(1));
  first.close();
  now += 1_000_000;
  const second = Journal.reopen(path, clock);
  now += 250;
  expect(second.milliseconds).toBe(750);
  expect(second.replaying).toBe(true);
  second.event(answered(1));
  expect(second.replaying).toBe(false);
  second.event(answered(2));
  second.close();
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines.slice(1).map(({ at }) => at)).toEqual([500, 750]);
});

test('verdicts in their order are given out once each', () => {
  const path = place();
  const journal = Journal.create(path, header);
  const memory = journal.inOrder();
  for (const verdict of [pass, fail, pass]) {
    expect(memory.recall('a')).toBeUndefined();
    memory.record('a', verdict);
  }
  journal.close();
  const again = Journal.reopen(path).inOrder();
  expect([1, 2, 3, 4].map(() => again.recall('a'))).toEqual([pass, fail, pass, undefined]);
});

/** A journal of six lines. */
function written(path: string): Buffer {
  const journal = Journal.create(path, header, () => 0);
  for (const step of [1, 2]) {
    journal.record(`t${step}`, fail);
    journal.event(answered(step));
  }
  journal.note('surroundings', 'x');
  journal.close();
  return readFileSync(path);
}

test('a line that is changed, lost or put elsewhere ends what is trusted, is named, and is kept', () => {
  const path = place();
  const lines = written(path).toString().trimEnd().split('\n');
  const damages: readonly (readonly [number, readonly string[]])[] = [
    [3, lines.with(2, lines[2]!.replace('fail', 'pass'))],
    [3, lines.toSpliced(2, 1)],
    [2, [lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)]],
    [3, lines.toSpliced(2, 0, '{"test":"c","verdict":{"outcome":"pass"}}')],
    [6, lines.with(5, lines[5]!.slice(0, 20))],
  ];
  for (const [number, damaged] of damages) {
    const text = `${damaged.join('\n')}\n`;
    writeFileSync(path, text);
    const journal = Journal.reopen(path);
    expect(journal.damage).toContain(`line ${number}`);
    journal.close();
    expect(readFileSync(path, 'utf8')).toBe(`${lines.slice(0, number - 1).join('\n')}\n`);
    const [kept] = /\S+\.damaged-[0-9a-f]+/.exec(journal.damage!)!;
    expect(readFileSync(kept, 'utf8')).toBe(text);
    expect(Journal.reopen(path).damage).toBeUndefined();
  }
});

test('whatever byte is damaged, nothing that was not written is believed', () => {
  const path = place();
  const whole = written(path);
  const before = readJournal(path);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= flip;
      writeFileSync(path, bytes);
      const isFirst = at <= whole.indexOf(10);
      if (isFirst) {
        expect(() => readJournal(path)).toThrow(/is damaged/);
        return;
      }
      const { length, header: read, verdicts } = readJournal(path);
      expect(length).toBeLessThanOrEqual(at);
      expect(read).toEqual(before.header);
      for (const [test, verdict] of verdicts) expect(before.verdicts.get(test)).toEqual(verdict);
    }),
    // A version number that turns into that of the older format.
    { numRuns: 500, examples: [[whole.indexOf('2'), 0x32 ^ 0x31]] },
  );
});

test.each(['{"test":"b","verdict":{"outcome":"maybe"}}', '[]', 'null', '{"event":{}}', '{}'])(
  'a line that no journal has is damage: %s',
  line => {
    const path = place();
    Journal.create(path, header).close();
    appendFileSync(path, `${line}\n{"test":"c","verdict":{"outcome":"pass"}}\n`);
    expect(readJournal(path)).toMatchObject({ damagedLine: 2 });
    expect(readJournal(path).verdicts.size).toBe(0);
  },
);

test('a journal of the format before is said to be one', () => {
  const path = place();
  writeFileSync(path, '{"culprit":1,"job":"reduce","argv":["reduce"],"cwd":"/"}\n');
  expect(() => readJournal(path)).toThrow(/older culprit/);
});

test('a verdict that cannot be written is reported, and does not throw where nobody would catch it', () => {
  const path = place();
  const journal = Journal.create(path, header);
  journal.close();
  // The descriptor is closed: whatever is written now fails as it does on a disk that is gone.
  const guard = openSync('/dev/null', 'r');
  const failures: unknown[] = [];
  journal.failed = error => failures.push(error);
  journal.record('a', fail);
  closeSync(guard);
  expect(failures).toHaveLength(1);
  expect(failures[0]).toBeInstanceOf(UserError);
  expect((failures[0] as UserError).message).toContain(path);
});
