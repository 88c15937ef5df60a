// Runs in vitest's workers: leaves out and orders the tests of a file, and writes down how each of them ended.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { fileOf, write, messageOf, numbering, testsOf } = require('./plan.cjs');
const { beforeTest, atEdge } = require('./watch.cjs');
const { VitestTestRunner } = await import(process.env.CULPRIT_VITEST_RUNNERS);

const isTest = task => task.type === 'test' || task.type === 'custom';
const names = new WeakMap();

function nameAll(tasks, file, titles, number) {
  for (const task of tasks) {
    const path = [...titles, task.name];
    if (isTest(task)) names.set(task, { file, name: number(file, path.join(' › ')) });
    else nameAll(task.tasks, file, path, number);
  }
}

/** Tasks that do not run are skipped; the others are sorted by the first of their tests. Returns that one's place. */
function apply(task, order) {
  if (isTest(task)) {
    const place = order.indexOf(names.get(task).name);
    if (place < 0) task.mode = 'skip';
    return place < 0 ? Number.POSITIVE_INFINITY : place;
  }
  const places = new Map(task.tasks.map(each => [each, apply(each, order)]));
  task.tasks.sort((a, b) => places.get(a) - places.get(b) || 0);
  return Math.min(Number.POSITIVE_INFINITY, ...places.values());
}

export default class Runner extends VitestTestRunner {
  onCollected(files) {
    for (const file of files) {
      const name = fileOf(file.filepath);
      nameAll(file.tasks, name, [], numbering());
      const order = testsOf(name);
      if (order) apply(file, order);
    }
    return super.onCollected?.(files);
  }

  async onBeforeRunTask(test) {
    const named = names.get(test);
    if (named && test.mode === 'run') beforeTest(named.file, named.name, ['timers']);
    return super.onBeforeRunTask?.(test);
  }

  async onBeforeRunSuite(suite) {
    atEdge('filepath' in suite, ['timers']);
    return super.onBeforeRunSuite?.(suite);
  }

  async onAfterRunSuite(suite) {
    const ended = await super.onAfterRunSuite?.(suite);
    atEdge('filepath' in suite, ['timers']);
    return ended;
  }

  onAfterRunTask(test) {
    const named = names.get(test);
    const state = { pass: 'passed', fail: 'failed' }[test.result?.state];
    if (named && state)
      write({ ...named, state, ...(state === 'failed' ? { message: messageOf(test.result.errors?.[0]) } : {}) });
    return super.onAfterRunTask?.(test);
  }
}
