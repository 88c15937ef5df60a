import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { openRunner } from '../../../src/oracle/process/index.js';
import { env, limits, run, text } from './running.js';

const folder = mkdtempSync(join(tmpdir(), 'culprit-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const print = ['node', '-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--'];

describe.each(['shell', 'spawn'] as const)('by %s', way => {
  const runner = openRunner({ slots: 2, limits, way });
  afterAll(() => runner.close());

  test.each([0, 1, 2, 42, 126, 127, 130, 137, 139, 153, 255])('exit %i is an exit', async code => {
    const { exit, signal, timedOut } = await run(runner, ['sh', '-c', `exit ${code}`]);
    // A shell prints nothing for SIGINT, so this one exit looks the same.
    if (way === 'shell' && code === 130) expect({ exit, signal }).toEqual({ exit: undefined, signal: 'SIGINT' });
    else expect({ exit, signal, timedOut }).toEqual({ exit: code, signal: undefined, timedOut: false });
  });

  test.each(['SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGILL', 'SIGBUS', 'SIGKILL', 'SIGTERM', 'SIGINT', 'SIGPIPE', 'SIGHUP'])(
    '%s is a signal, and nothing is added to stderr',
    async name => {
      const { exit, signal, stderr } = await run(runner, ['sh', '-c', `echo oh >&2; kill -${name.slice(3)} $$`]);
      expect({ exit, signal, stderr: text(stderr) }).toEqual({ exit: undefined, signal: name, stderr: 'oh\n' });
    },
  );

  test('a command that says the very words of the shell and exits with 139 has exited', async () => {
    await run(runner, ['sh', '-c', 'kill -SEGV $$']);
    const result = await run(runner, ['sh', '-c', 'echo "Segmentation fault" >&2; exit 139']);
    expect([result.exit, result.signal, text(result.stderr)]).toEqual([139, undefined, 'Segmentation fault\n']);
  });

  test('exits, signals and words in quick succession are never mixed up', async () => {
    for (let i = 0; i < 300; i++) {
      const isKilled = i % 3 === 0;
      const { exit, signal, stderr } = await run(runner, [
        'sh',
        '-c',
        `echo oh >&2; ${isKilled ? 'kill -SEGV $$' : 'exit 137'}`,
      ]);
      const expected = isKilled ? { exit: undefined, signal: 'SIGSEGV' } : { exit: 137, signal: undefined };
      expect({ exit, signal, stderr: text(stderr) }).toEqual({ ...expected, stderr: 'oh\n' });
    }
  });

  test('stdout and stderr are kept apart, and nothing of them is left for the next command', async () => {
    const first = await run(runner, ['sh', '-c', 'echo out; echo err >&2']);
    expect([text(first.stdout), text(first.stderr), first.truncated]).toEqual(['out\n', 'err\n', false]);
    const second = await run(runner, ['sh', '-c', 'printf more']);
    expect([text(second.stdout), text(second.stderr)]).toEqual(['more', '']);
  });

  test('stdin is a file when one is given, and empty when none is', async () => {
    const path = join(folder, "it's input");
    writeFileSync(path, 'a\nb\n');
    expect(text((await run(runner, ['cat'], { stdin: path })).stdout)).toBe('a\nb\n');
    expect(text((await run(runner, ['cat'])).stdout)).toBe('');
  });

  test('a command starts in its working folder, and PWD says so', async () => {
    const cwd = join(folder, "a 'folder' $HOME");
    mkdirSync(cwd, { recursive: true });
    const result = await run(runner, ['sh', '-c', 'pwd; echo "$PWD"; env | grep -c ^OLDPWD='], { cwd });
    expect(text(result.stdout)).toBe(`${cwd}\n${cwd}\n0\n`);
  });

  test('the names of shell builtins mean programs', async () => {
    expect(text((await run(runner, ['echo', '-e', 'a\\tb'])).stdout)).toBe('a\tb\n');
    expect((await run(runner, ['test', '-d', '/'])).exit).toBe(0);
    expect((await run(runner, ['exit', '3'])).exit).toBe(127);
    expect((await run(runner, ['A=b', 'true'])).exit).toBe(127);
  });

  test('a command that is not found says the same every time', async () => {
    const [a, b] = [await run(runner, ['no-such-thing']), await run(runner, ['no-such-thing'])];
    expect([a.exit, text(a.stderr)]).toEqual([b.exit, text(b.stderr)]);
    expect(a.exit).toBe(127);
  });

  test('the environment is exactly what was given, also when it changes between commands', async () => {
    const seen = async (given: Record<string, string>) => {
      const script = 'process.stdout.write(JSON.stringify(process.env))';
      const { stdout } = await run(runner, [process.execPath, '-e', script], { env: given });
      const { CULPRIT_WORKSPACE: _, PWD: __, OLDPWD: ___, ...rest } = JSON.parse(text(stdout));
      return rest;
    };
    const nasty = {
      IFS: 'x',
      OPTIND: 'abc',
      'with-dash': '1',
      'BASH_FUNC_f%%': '() { :; }',
      _: '/x',
      A: "'\n$(x)`y`\\",
      E: '',
    };
    const all: readonly Record<string, string>[] = [
      { ...env },
      { ...env, ...nasty },
      { PATH: '/bin', UID: '7', A: 'ü' },
      { ...env, A: '2' },
    ];
    for (const given of all) expect(await seen(given)).toEqual(given);
  });

  test('any argument arrives as it was given', { timeout: 60_000 }, async () => {
    const character = fc.oneof(
      fc.constantFrom(...'\'"\\`$!*?[]{}()<>|&;#~=%^-+., \t\r\n\u0001\u007f\u0081\u0088üé漢🙂'),
      fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
    );
    const argument = fc.array(character, { maxLength: 12 }).map(parts => parts.join('').replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(argument, { minLength: 1, maxLength: 40 }), async args => {
        const { stdout, exit } = await run(runner, [...print, ...args]);
        expect([exit, JSON.parse(text(stdout))]).toEqual([0, args]);
      }),
      { numRuns: 25 },
    );
  });

  test('slots run at the same time and do not mix', async () => {
    const say = (word: string, slot: number) =>
      run(runner, ['sh', '-c', `echo ${word}; sleep 0.05; echo ${word}`], {}, slot);
    const [a, b] = await Promise.all([say('a', 0), say('b', 1)]);
    expect([text(a.stdout), text(b.stdout)]).toEqual(['a\na\n', 'b\nb\n']);
  });
});

test('an argument with a NUL is refused with a sentence, and the slot goes on', async () => {
  const runner = openRunner({ slots: 1, limits });
  await expect(run(runner, ['echo', 'a\0b'])).rejects.toThrow('NUL');
  expect((await run(runner, ['true'])).exit).toBe(0);
  await runner.close();
});

test('closing while a command runs kills it, and says so to whoever waits', async () => {
  const runner = openRunner({ slots: 1, limits });
  await run(runner, ['true']);
  const running = run(runner, ['sleep', '99']);
  const refused = expect(running).rejects.toThrow('closed');
  await runner.close();
  await refused;
  await expect(run(runner, ['true'])).rejects.toThrow('closed');
});

test('a working folder or stdin that is not there is an error, not an answer', async () => {
  const runner = openRunner({ slots: 1, limits });
  await expect(run(runner, ['true'], { stdin: join(folder, 'missing') })).rejects.toThrow('could not be started');
  await expect(run(runner, ['true'], { cwd: join(folder, 'missing') })).rejects.toThrow('could not be started');
  expect((await run(runner, ['sh', '-c', 'exit 2'])).exit).toBe(2);
  await runner.close();
});
