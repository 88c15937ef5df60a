// For jest's --testSequencer: the files of the plan in its order; without a plan, by name.
const { fileOf, placeOfFile } = require('./plan.cjs');

module.exports = class InOrder {
  shard(tests) {
    return tests;
  }
  sort(tests) {
    const named = tests.map(test => ({ test, name: fileOf(test.path) })).filter(({ name }) => placeOfFile(name) >= 0);
    return named
      .sort((a, b) => placeOfFile(a.name) - placeOfFile(b.name) || (a.name < b.name ? -1 : 1))
      .map(({ test }) => test);
  }
  allFailedTests(tests) {
    return tests;
  }
  cacheResults() {}
};
