import { afterAll, describe, expect, test } from 'vitest';
import type { Artifact } from '../../src/core/artifact.js';
import { type Start, startProcess } from '../../src/oracle/http/process.js';
import { openTraffic, type TrafficSettings } from '../../src/oracle/http/traffic.js';
import { subreaper } from '../../src/oracle/process/subreaper.js';
import { openSlotFolders, type SlotFoldersOptions } from '../../src/oracle/slot-folders.js';
import type { Har } from '../../src/sources/har/har.js';
import { mayBeMissing, oddSleep, processesWith, until } from './process/running.js';

const node = process.execPath;
const never = new AbortController().signal;
const nothing: Artifact = { files: new Map() };
const isLinux = process.platform === 'linux';
const har: Har = {
  log: {
    entries: [1, 2].map(i => ({
      request: { method: 'GET', url: `http://any/${i}`, headers: [] },
      response: { status: 200, headers: [], content: {} },
    })),
  },
};

const places = openSlotFolders(2, nothing);
afterAll(() => places.close());

async function verdictOf(settings: Partial<TrafficSettings> & Pick<TrafficSettings, 'command'>, in_ = places) {
  const traffic = openTraffic({
    mode: 'send',
    failure: { kind: 'crash' },
    enter: in_.enter,
    start: in_.start,
    limits: { settle: 60 },
    ...settings,
  });
  try {
    return await traffic.test(har, never);
  } finally {
    await traffic.close();
  }
}

/** A server that does something once it has answered the second request. */
const serverThat = (does: string): readonly string[] => [
  node,
  '-e',
  `require('http').createServer((request, response) => {
    response.end('ok', () => { if (request.url === '/2') { ${does} } });
  }).listen(process.env.PORT, '127.0.0.1')`,
];
const ways: readonly (readonly [string, Start | undefined])[] = [
  ['by itself', startProcess],
  ['below a guard', undefined],
];

describe.each(ways)('a server that is started %s', (_, start) => {
  const settings = start ? { start } : {};

  test('and dies after its last answer, though it works for long before, has crashed', async () => {
    const command = serverThat('for (const end = Date.now() + 600; Date.now() < end; ); process.exit(7)');
    expect(await verdictOf({ command, ...settings })).toMatchObject({ outcome: 'fail', exit: 7 });
    const other = await verdictOf({ command, ...settings, failure: { kind: 'status', status: 418 } });
    expect(other).toMatchObject({ outcome: 'unresolved', reason: expect.stringContaining('exit 7') });
  });

  test('and dies while something else holds its output open has crashed', async () => {
    const command = serverThat(
      `require('child_process').spawn('sleep', ['1'], { stdio: 'inherit' }); setTimeout(() => process.exit(7), 10)`,
    );
    expect(await verdictOf({ command, ...settings })).toMatchObject({ outcome: 'fail', exit: 7 });
  });

  test('and goes on running passes', async () => {
    expect((await verdictOf({ command: serverThat('setInterval(() => {}, 5)'), ...settings })).outcome).toBe('pass');
  });
});

describe.skipIf(!isLinux)('below a guard (Linux)', () => {
  test('an exit, a signal and a missing program are distinguished', async () => {
    const end = (command: readonly string[]) => verdictOf({ mode: 'serve', command });
    expect(await end(['sh', '-c', 'exit 139'])).toMatchObject({ outcome: 'fail', exit: 139 });
    expect(await end(['sh', '-c', 'kill -SEGV $$'])).toMatchObject({ outcome: 'fail', signal: 'SIGSEGV' });
    expect(await end(['sh', '-c', 'kill -INT $$'])).toMatchObject({ outcome: 'fail', signal: 'SIGINT' });
    expect(await end(['sh', '-c', 'kill -9 0'])).toMatchObject({ outcome: 'fail', signal: 'SIGKILL' });
    expect(await end(['sh', '-c', 'exit 0'])).toMatchObject({ outcome: 'pass' });
    expect(await end(['no-such-program'])).toMatchObject({
      outcome: 'unresolved',
      reason: expect.stringContaining('ENOENT'),
    });
  });

  test('its output and its variables are its own', async () => {
    process.env.PERL5OPT = '-Mno_such_module';
    try {
      const command = ['sh', '-c', 'echo "$PERL5OPT, $CULPRIT_PERL5OPT"; kill -SEGV $$'];
      const failure = { kind: 'body', pattern: /^-Mno_such_module, \n$/ } as const;
      const verdict = await verdictOf({ mode: 'serve', command, failure });
      expect(verdict).toMatchObject({ outcome: 'fail' });
      expect(verdict.excerpt).toBeUndefined();
    } finally {
      delete process.env.PERL5OPT;
    }
  });

  const hidden = ['setsid sleep "$0" &', '(setsid sleep "$0" >/dev/null 2>&1 &);'];
  if (subreaper() !== undefined || !mayBeMissing) hidden.push('setsid env -i sleep "$0" >/dev/null 2>&1 </dev/null &');
  test.each(hidden)('what it starts with %s ends with its test, and not with the run', async start => {
    const sleep = oddSleep();
    const command = ['sh', '-c', `${start} exec "$@"`, sleep, ...serverThat('')];
    expect((await verdictOf({ command })).outcome).toBe('pass');
    expect(processesWith(sleep).filter(pid => pid !== process.pid)).toEqual([]);
  });

  test('one that starts processes without end is stopped and unresolved', async () => {
    const options: SlotFoldersOptions = { processes: 40 };
    const few = openSlotFolders(1, nothing, options);
    const sleep = oddSleep();
    const command = ['sh', '-c', 'while :; do sleep "$0" & done', sleep];
    const verdict = await verdictOf({ mode: 'serve', command }, few);
    expect(verdict).toMatchObject({ outcome: 'unresolved', reason: expect.stringContaining('--processes') });
    expect(await until(() => processesWith(sleep).length === 0)).toBe(true);
    await few.close();
  });
});
