// Starts the project's own vitest with its own arguments: one file at a time, in the order of the plan.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { fileOf, placeOfFile } = require('./plan.cjs');
const ofProject = createRequire(join(process.cwd(), 'package.json'));
const { startVitest, parseCLI } = await import(pathToFileURL(ofProject.resolve('vitest/node')).href);
process.env.CULPRIT_VITEST_RUNNERS = pathToFileURL(ofProject.resolve('vitest/runners')).href;

const nameOf = spec => fileOf(spec.moduleId ?? spec[1]);

class InOrder {
  shard(files) {
    return files;
  }
  sort(files) {
    const named = files.map(spec => ({ spec, name: nameOf(spec) })).filter(({ name }) => placeOfFile(name) >= 0);
    // Without a plan: by name. Vitest's own order depends on how long each file took last time.
    return named
      .sort((a, b) => placeOfFile(a.name) - placeOfFile(b.name) || (a.name < b.name ? -1 : 1))
      .map(({ spec }) => spec);
  }
}

const words = process.argv.slice(2).filter(word => word !== '--watch' && word !== '-w');
const { filter, options } = parseCLI(['vitest', ...words]);
const vitest = await startVitest('test', filter, {
  ...options,
  run: true,
  watch: false,
  // The cache is in node_modules, which is the user's.
  cache: false,
  fileParallelism: false,
  coverage: { enabled: false },
  reporters: ['default'],
  runner: fileURLToPath(new URL('vitest-runner.mjs', import.meta.url)),
  sequence: { ...options.sequence, concurrent: false, shuffle: false, sequencer: InOrder },
});
await vitest?.close();
