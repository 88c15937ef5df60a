import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { betweenEnvironments, environmentOf } from '../../../src/circumstances/environment/environment.js';
import { betweenValues, piecesOf, valuesOf } from '../../../src/circumstances/environment/values.js';
import { all, runInOrder, type Verdict } from '../../../src/core/index.js';
import { requireStart, whereIs } from '../../../src/oracle/command/start.js';
import { formatEnvironment } from '../../../src/sources/environment/format.js';
import { parseEnvironment } from '../../../src/sources/environment/parse.js';
import {
  type Environment,
  identityOf,
  isSecret,
  masked,
  redactedBytes,
  redactor,
} from '../../../src/sources/environment/secrets.js';
import { ddmin } from '../../../src/strategies/index.js';

test('a pair of environments is the two of them, at both ends', () => {
  fc.assert(
    fc.property(environment, environment, (passing, failing) => {
      const whole = betweenEnvironments(passing, failing);
      expect(whole.build([])).toEqual(passing);
      expect(whole.build(all(whole.count))).toEqual(failing);
      const inside = betweenValues(passing, failing);
      expect(inside.build(all(inside.count))).toEqual(failing);
    }),
  );
});

test('between two lists, entries differ one by one; text and secrets are left whole', () => {
  const passing = { PATH: '/a:/b:/c', LANG: 'en_US', API_KEYS: 'a,b,c', FLAGS: '-O2 -g' };
  const failing = { PATH: '/a:/x:/c:/d', LANG: 'de_DE', API_KEYS: 'a,c', FLAGS: '-O3 -g' };
  const circumstance = betweenValues(passing, { ...failing, API_KEY: 'k' });
  const described = Array.from({ length: circumstance.count }, (_, delta) => circumstance.describe!(delta));
  expect(described.filter(text => text.startsWith('PATH'))).toEqual(['PATH: -/b', 'PATH: +/x', 'PATH: +/d']);
  expect(described.some(text => /^(LANG|API_KEY)\b/.test(text))).toBe(false);
  expect(circumstance.build([])!.PATH).toBe('/a:/b:/c');
  expect(circumstance.build([])!.LANG).toBe('de_DE');
});

test('of a PATH, only the folder with the wrong program matters', () => {
  const root = mkdtempSync(join(tmpdir(), 'culprit-path-'));
  try {
    const folders = ['one', 'two', 'three', 'four'].map(name => join(root, name));
    for (const each of folders) mkdirSync(each);
    writeFileSync(join(folders[1]!, 'sort'), '#!/bin/sh\necho "sort: of another vendor" >&2\nexit 3\n');
    chmodSync(join(folders[1]!, 'sort'), 0o755);
    const env = { PATH: [...folders, '/usr/bin', '/bin'].join(':'), LC_ALL: 'C' };
    const circumstance = valuesOf(env);
    const { result } = runInOrder(ddmin(), all(circumstance.count), each => {
      const { status, stderr } = spawnSync('/bin/sh', ['-c', 'sort /dev/null'], {
        env: { ...circumstance.build(each)! },
        encoding: 'utf8',
      });
      return stderr.includes('another vendor') ? 'fail' : status === 0 ? 'pass' : 'unresolved';
    });
    expect(circumstance.build(result)!.PATH).toBe(folders[1]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('a command that does not start without a variable is unresolved, not innocent', async () => {
  const original: Verdict = { outcome: 'fail', exit: 1 };
  // With `--interesting`, every exit but 0 counts as a pass: just the rule that would blame PATH's absence for nothing.
  const test_ = requireStart<Environment>(original, async env => {
    const { status } = spawnSync('/bin/sh', ['-c', 'node-of-ours'], { env: { ...env } });
    return { outcome: status === 0 ? 'fail' : 'pass', exit: status ?? undefined };
  });
  const verdict = await test_({ PATH: '/nowhere' }, new AbortController().signal);
  expect(verdict).toMatchObject({ outcome: 'unresolved', exit: 127 });
});

test('when the original itself is "command not found", that is the failure', async () => {
  const original: Verdict = { outcome: 'fail', exit: 127 };
  const verdict = await requireStart(original, async () => original)({}, new AbortController().signal);
  expect(verdict.outcome).toBe('fail');
});

test('a program is found by the PATH of the original environment', () => {
  expect(whereIs('sh', { PATH: '/nowhere:/bin' }, '/')).toBe('/bin/sh');
  expect(whereIs('no-such-program', { PATH: '/bin' }, '/')).toBeUndefined();
  expect(whereIs('./tool', {}, '/folder')).toBe('/folder/tool');
});

const value = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }).map(text => text.replaceAll('\0', '')),
);
const environment = fc
  .dictionary(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/), value, { minKeys: 1 })
  .map(env => Object.fromEntries(Object.entries(env)));

test('all variables applied are the environment itself, and so are all pieces of its values', () => {
  fc.assert(
    fc.property(environment, env => {
      for (const each of [
        environmentOf(env),
        valuesOf(env),
        valuesOf(env, { by: 'char' }),
        betweenEnvironments({}, env),
      ])
        expect(each.build(all(each.count))).toEqual(env);
      for (const [name, text] of Object.entries(env)) {
        const { pieces, separator } = piecesOf(name, text);
        expect(pieces.join(separator)).toBe(text);
      }
    }),
  );
});

test('an environment comes back from env -0, JSON and its own .env form', () => {
  fc.assert(
    fc.property(environment, env => {
      const nul = Object.entries(env).map(([name, text]) => `${name}=${text}\0`);
      expect(parseEnvironment(nul.join(''), 'x')).toEqual(env);
      expect(parseEnvironment(JSON.stringify(env), 'x')).toEqual(env);
      const open = Object.fromEntries(
        Object.entries(env).filter(([name, text]) => !isSecret(name, text) && !text.includes('\r')),
      );
      if (Object.keys(open).length > 0) expect(parseEnvironment(formatEnvironment(open), 'x')).toEqual(open);
    }),
  );
});

test('what a real shell exports is read back, line feeds and quotes included', () => {
  const env = { PLAIN: 'a b', QUOTES: `it's "so" $x \`y\` \\z`, LINES: 'one\ntwo\n\nthree', EMPTY: '', TAB: 'a\tb' };
  for (const [shell, line] of [
    ['/bin/sh', 'export -p'],
    ['/bin/bash', 'export -p'],
    ['/bin/bash', 'declare -x'],
  ] as const) {
    const text = execFileSync(shell, [...(shell === '/bin/bash' ? ['--norc'] : []), '-c', line], {
      env,
      encoding: 'utf8',
    });
    expect(parseEnvironment(text, line)).toMatchObject(env);
  }
  expect(
    parseEnvironment(execFileSync('/usr/bin/env', { env: { ...env, _: 'x' }, encoding: 'utf8' }), 'env'),
  ).toMatchObject(env);
});

test('a .env file may have comments, export, quotes and blanks', () => {
  const text = `# settings\nA=1 # one\nexport B="two words\\nand lines"\n C = 'x # y'\nD=\n\nE=a#b\n`;
  expect(parseEnvironment(text.replace('export ', ''), '.env')).toEqual({
    A: '1',
    B: 'two words\nand lines',
    C: 'x # y',
    D: '',
    E: 'a#b',
  });
});

test('a file without a variable is refused with how to capture one', () => {
  expect(() => parseEnvironment('hello\n', 'a.env')).toThrow(/No variable was found in a\.env/);
  expect(() => parseEnvironment('{"A": ', 'a.json')).toThrow(/starts like JSON/);
});

test.each([
  ['GITHUB_TOKEN', 'x'],
  ['aws_secret_access_key', 'x'],
  ['DB_PASSWORD', 'x'],
  ['PGPASSWORD', 'x'],
  ['apiKey', 'x'],
  ['MY_AUTH', 'x'],
  ['SESSION_COOKIE', 'x'],
  ['SSH_PRIVATE_KEY', 'x'],
  ['ANYTHING', 'postgres://user:pw@host/db'],
  ['ANYTHING', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc`],
  ['ANYTHING', `AKIA${'ABCDEFGHIJKLMNOP'}`],
])('%s=%s is never shown', (name, text) => {
  expect(masked(name, text)).toBe('••••••');
  const circumstances = [
    environmentOf({ [name]: text }),
    betweenEnvironments({ [name]: `${text}2` }, { [name]: text }),
  ];
  for (const each of circumstances) expect(each.describe!(0)).toContain('••••••');
  expect(valuesOf({ [name]: text }, { by: 'char' }).count).toBe(0);
  expect(formatEnvironment({ [name]: text })).not.toContain(`=${text}`);
});

test.each(['PATH', 'HOME', 'PWD', 'KEYBOARD', 'AUTHOR', 'SHELL', 'MONKEY', 'COMPASS', 'XDG_SESSION_TYPE'])(
  '%s is shown',
  name => {
    expect(masked(name, 'value')).toBe('value');
  },
);

test('a secret in bytes of any encoding is taken out, and of a key each line', () => {
  const env = { TOKEN: 'schlüssel-eins', PRIVATE_KEY: '-----BEGIN X-----\nQUJDREVGR0hJSktMTU5P\n-----END X-----' };
  const output = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a schlüssel-eins b QUJDREVGR0hJSktMTU5P\n')]);
  const clean = redactedBytes(env)(output);
  expect(Buffer.from(clean).subarray(2).toString()).toBe('a •••••• b ••••••\n');
  expect(Buffer.from(clean).subarray(0, 2)).toEqual(output.subarray(0, 2));
});

test('a secret that a program prints is taken out of what is shown', () => {
  expect(redactor({ TOKEN: 'hunter22', USER: 'mira' })('mira logs in with hunter22!')).toBe(
    'mira logs in with ••••••!',
  );
});

test('the identity of an environment tells values apart, and depends on the salt', () => {
  expect(identityOf({ A: '1', B: '2' }, 's')).toBe(identityOf({ B: '2', A: '1' }, 's'));
  expect(identityOf({ A: '1' }, 's')).not.toBe(identityOf({ A: '2' }, 's'));
  expect(identityOf({ A: '1' }, 's')).not.toBe(identityOf({ A: '1' }, 't'));
  expect(identityOf({ A: '1', B: '2' }, 's')).not.toBe(identityOf({ A: '1B=2' }, 's'));
});
