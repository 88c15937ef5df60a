// For mocha's --require and --reporter: loads the files of the plan in its order, runs its tests, writes down how they ended.
const { fileOf, write, messageOf, numbering, placeOfFile, testsOf, plan } = require('./plan.cjs');
const { beforeTest, atEdge } = require('./watch.cjs');

const id = Object.keys(require.cache).find(key => /[\\/]mocha[\\/]lib[\\/]mocha\.c?js$/.test(key));
const Mocha = id && require.cache[id].exports;
const names = new WeakMap();

if (Mocha?.prototype && !Mocha.prototype.culprit) {
  Mocha.prototype.culprit = true;
  for (const load of ['loadFiles', 'loadFilesAsync']) {
    const original = Mocha.prototype[load];
    Mocha.prototype[load] = function (...given) {
      if (plan.arrangement)
        this.files = this.files
          .filter(file => placeOfFile(fileOf(file)) >= 0)
          .sort((a, b) => placeOfFile(fileOf(a)) - placeOfFile(fileOf(b)));
      // Tests outside of any group run first, whichever file they are in: the order of the files is that of loading.
      write({ order: this.files.map(fileOf) });
      return original.apply(this, given);
    };
  }
}

const titlesOf = test => (typeof test.titlePath === 'function' ? test.titlePath() : [test.fullTitle()]);
const first = places => Math.min(Number.POSITIVE_INFINITY, ...places);

/** Leaves out the tests that do not run; a suite comes where the first of its tests does. Returns that one's place. */
function apply(suite) {
  const places = new Map();
  const place = test => {
    const { file, name } = names.get(test);
    const order = testsOf(file);
    if (!order) return plan.arrangement ? -1 : 0;
    const at = order.indexOf(name);
    return at < 0 ? -1 : placeOfFile(file) * 1e6 + at;
  };
  for (const test of suite.tests) places.set(test, place(test));
  suite.tests = suite.tests.filter(test => places.get(test) >= 0);
  for (const child of suite.suites) places.set(child, apply(child));
  for (const list of [suite.tests, suite.suites]) list.sort((a, b) => places.get(a) - places.get(b) || 0);
  return first([...suite.tests, ...suite.suites].map(each => places.get(each)));
}

function nameAll(suite, number) {
  for (const test of suite.tests) {
    const file = fileOf(test.file ?? '');
    names.set(test, { file, name: number(file, titlesOf(test).join(' › ')) });
  }
  for (const child of suite.suites) nameAll(child, number);
}

module.exports = class Reporter {
  constructor(runner) {
    nameAll(runner.suite, numbering());
    if (plan.arrangement) {
      apply(runner.suite);
      runner.total = runner.grepTotal(runner.suite);
    }
    for (const edge of ['suite', 'suite end']) runner.on(edge, suite => atEdge(suite.root || suite.parent?.root));
    runner.on('test', test => beforeTest(names.get(test)?.file, names.get(test)?.name));
    runner.on('pass', test => write({ ...names.get(test), state: 'passed' }));
    runner.on('fail', (test, error) => {
      process.stdout.write(`${titlesOf(test).join(' › ')}: ${messageOf(error)}\n`);
      // A hook that fails takes the test that it ran for with it.
      const named = names.get(test) ?? names.get(test.ctx?.currentTest);
      if (named) write({ ...named, state: 'failed', message: messageOf(error) });
    });
  }
};
