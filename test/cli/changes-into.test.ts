import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';

/** The package as it was published: 1.2.0 and later do not pad. */
const filesOf = (version: string): Readonly<Record<string, string>> => ({
  'package.json': `${JSON.stringify({ name: 'left', version })}\n`,
  'index.js': [
    `exports.version = '${version}';`,
    ...Array.from({ length: 12 }, (_, i) => `exports.value${i} = ${i};`),
    version < '1.2.0' ? "exports.pad = text => ' ' + text;" : 'exports.pad = text => text;',
    ...Array.from({ length: 12 }, (_, i) => `exports.later${i} = ${i};`),
    `exports.last = '${version}';`,
    '',
  ].join('\n'),
});
const versions = ['1.0.0', '1.0.1', '1.1.0', '1.2.0', '1.2.1', '1.3.0', '1.4.0-beta.1', '1.4.0'];

/** A registry as npm knows it, with one package. */
async function registry(cwd: string) {
  const tarballs = new Map<string, Buffer>();
  for (const version of versions) {
    const folder = join(cwd, 'published', version, 'package');
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(filesOf(version))) writeFileSync(join(folder, name), text);
    const { stdout } = spawnSync('tar', ['-C', join(folder, '..'), '-czf', '-', 'package']);
    tarballs.set(`/left-${version}.tgz`, stdout);
  }
  const server = createServer((request, response) => {
    const tarball = tarballs.get(request.url ?? '');
    if (tarball) return response.end(tarball);
    if (request.url !== '/left') return response.writeHead(404).end('{}');
    const dist = (version: string) => ({
      tarball: `${address}/left-${version}.tgz`,
      shasum: createHash('sha1')
        .update(tarballs.get(`/left-${version}.tgz`)!)
        .digest('hex'),
    });
    const known = versions.map(version => [version, { name: 'left', version, dist: dist(version) }]);
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name: 'left', 'dist-tags': { latest: '1.4.0' }, versions: Object.fromEntries(known) }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterAll(() => server.close());
  return address;
}

/** A project that uses one version, installed by hand: what npm would have made of the lockfile. */
function project(cwd: string, name: string, version: string): void {
  const folder = join(cwd, name);
  const root = { name: 'app', version: '1.0.0', dependencies: { left: '^1.0.0' } };
  const packages = { 'node_modules/left': { version } };
  mkdirSync(join(folder, 'node_modules/left'), { recursive: true });
  for (const [path, text] of Object.entries(filesOf(version)))
    writeFileSync(join(folder, 'node_modules/left', path), text);
  const text = (all: unknown) =>
    JSON.stringify({ name: 'app', version: '1.0.0', lockfileVersion: 3, requires: true, packages: all });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
  writeFileSync(join(folder, 'package-lock.json'), text({ '': root, ...packages }));
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), text(packages));
}

test('--into goes on from the upgrade to the first bad version that was published, and to its line (needs npm)', async () => {
  const cwd = folderWith({
    'page.js':
      "const { pad } = require(process.argv[2] + '/node_modules/left');\nif (pad('x') !== ' x') throw new Error('not padded');\n",
  });
  project(cwd, 'old', '1.0.0');
  project(cwd, 'new', '1.4.0');
  const env = {
    npm_config_registry: await registry(cwd),
    npm_config_cache: join(cwd, 'npm-cache'),
    npm_config_update_notifier: 'false',
  };
  const locks = ['old/package-lock.json', 'new/package-lock.json'];
  const { code, stdout, stderr } = await culprit(
    ['changes', ...locks, '--into', '--json', '--', 'node', 'page.js', '{}'],
    { cwd, env },
  );
  expect(stderr).toContain('left@1.1.0 is good, left@1.2.0 is bad');
  expect(code).toBe(0);
  const { into, culprits } = JSON.parse(stdout);
  expect(culprits).toMatchObject([{ change: 'node_modules/left 1.0.0 → 1.4.0' }]);
  expect(into).toMatchObject({ package: 'left', versions: ['1.1.0', '1.2.0'], searched: 6, minimal: ['hunk', 'line'] });
  expect(into.culprits).toMatchObject([
    { file: 'index.js', code: "-exports.pad = text => ' ' + text;\n+exports.pad = text => text;" },
  ]);
  expect(readFileSync(join(cwd, 'culprit.changes/package.patch'), 'utf8')).toContain(
    "+exports.pad = text => ' ' + text;",
  );
});
