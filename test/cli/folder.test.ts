import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';

const read = (...parts: readonly string[]): string => readFileSync(join(...parts), 'utf8');

test('files that nobody needs go, and with them the lines that import them', async () => {
  const cwd = folderWith({
    'app/main.mjs': "import { unused } from './unused.mjs';\nimport { used } from './lib/used.mjs';\nused();\n",
    'app/unused.mjs': "import './deeper.mjs';\nexport const unused = 1;\n",
    'app/deeper.mjs': 'export {};\n',
    'app/lib/used.mjs': "export function used() {\n  throw new Error('BOOM');\n}\n",
    'app/notes.md': '# Notes\n',
  });
  const { code, stderr } = await culprit(
    ['reduce', 'app', '--by', 'line', '--no-format', '--match', 'Error: BOOM', '--', process.execPath, '{}/main.mjs'],
    { cwd },
  );
  expect(code, stderr).toBe(0);
  expect(readdirSync(join(cwd, 'app.reduced'), { recursive: true }).sort()).toEqual([
    'lib',
    'lib/used.mjs',
    'main.mjs',
  ]);
  expect(read(cwd, 'app.reduced/main.mjs')).toBe("import { used } from './lib/used.mjs';\nused();\n");
  expect(read(cwd, 'app/unused.mjs')).toContain('deeper');
});

test('links, loops of links, empty folders, executable bits, bytes and names of any bytes survive where they matter; package.json is data', async () => {
  const cwd = folderWith({
    'app/package.json':
      '{\n  "name": "app",\n  "scripts": { "build": "tsc", "test": "node --test" },\n  "config": { "other": 1, "mode": "hot" }\n}\n',
    'app/bin/tool': '#!/bin/sh\necho tool\n',
    'app/data.bin': Buffer.from([0, 1, 2, 0xff, 0xc3, 0xa9, 0xe9, 7]),
    'app/other.bin': Buffer.from([0, 0xff]),
    'check.sh': `#!/bin/sh
cd app && test -x bin/tool && test "$(readlink link)" = data.bin && test -d empty && test "$(readlink loop)" = . &&
grep -q odd "$(printf 'odd\\351')" && LC_ALL=C grep -qa "$(printf '\\377')" link && '${process.execPath}' -p 'JSON.parse(fs.readFileSync("package.json")).config.mode' | grep -q hot
`,
  });
  const app = join(cwd, 'app');
  for (const name of ['empty', 'also-empty']) mkdirSync(join(app, name));
  symlinkSync('data.bin', join(app, 'link'));
  symlinkSync('.', join(app, 'loop'));
  symlinkSync('nowhere', join(app, 'dangling'));
  chmodSync(join(app, 'bin/tool'), 0o755);
  for (const last of [0xe8, 0xe9])
    writeFileSync(Buffer.concat([Buffer.from(join(app, 'odd')), Buffer.of(last)]), 'odd\n');
  const { code, stderr } = await culprit(
    ['reduce', 'app', '--interesting', '--no-format', '--', join(cwd, 'check.sh')],
    { cwd },
  );
  expect(code, stderr).toBe(0);
  const out = join(cwd, 'app.reduced');
  expect(readdirSync(out).sort()).toEqual(['bin', 'data.bin', 'empty', 'link', 'loop', 'odd\ufffd', 'package.json']);
  expect(readlinkSync(join(out, 'link'))).toBe('data.bin');
  expect(lstatSync(join(out, 'bin/tool')).mode & 0o111).not.toBe(0);
  expect([...readFileSync(join(out, 'data.bin'))]).toEqual([0xff]);
  expect(read(out, 'package.json')).toBe('{"config":{"mode":"hot"}}');
});

test('an input that disappears during the run does not take the result with it, and that is said', async () => {
  const cwd = folderWith({
    'app/in.txt': 'a\nBOOM\nc\n',
    'app/other.txt': 'x\n',
    'check.sh': '#!/bin/sh\nrm -rf "$CULPRIT_TEST_ORIGINAL"\ngrep -q BOOM app/in.txt\n',
  });
  const { code, stderr } = await culprit(['reduce', 'app', '--interesting', '--', join(cwd, 'check.sh')], {
    cwd,
    env: { CULPRIT_TEST_ORIGINAL: join(cwd, 'app') },
  });
  expect(existsSync(join(cwd, 'app'))).toBe(false);
  expect(stderr).not.toMatch(/bug (of|in) culprit/);
  expect(stderr).toContain('app disappeared while it was being reduced');
  expect([code, read(cwd, 'app.reduced/in.txt')], stderr).toEqual([1, 'BOOM']);
});
