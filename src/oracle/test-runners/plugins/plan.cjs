// What every plugin shares: which tests are to run in which order, and the file that gets one line of JSON per result.
const fs = require('node:fs');
const path = require('node:path');

const plan = process.env.CULPRIT_TESTS ? JSON.parse(fs.readFileSync(process.env.CULPRIT_TESTS, 'utf8')) : {};
const here = process.cwd();
// A test may mock these.
const append = fs.appendFileSync;
const files = plan.arrangement?.map(part => part.file);

/** A file's name in the arrangement: relative to the copy that runs, or to the folder it is a copy of. */
function fileOf(full) {
  for (const root of [here, plan.home]) {
    const inside = root && path.relative(root, full);
    if (inside && !inside.startsWith('..') && !path.isAbsolute(inside)) return inside.split(path.sep).join('/');
  }
  return full;
}

function write(line) {
  if (plan.results) append(plan.results, `${JSON.stringify(line)}\n`);
}

/** The first lines of an error; the whole of it can be seen by running the tests. */
function messageOf(error) {
  if (error === undefined || error === null) return 'failed';
  const message = String(error.message ?? error);
  const text = error.name && !message.startsWith(error.name) ? `${error.name}: ${message}` : message;
  return text.slice(0, 2000);
}

/** Tests of one file that have the same name are distinguished by number: `works`, `works (2)`. */
function numbering() {
  const met = new Map();
  return (file, name) => {
    const key = `${file}\0${name}`;
    const count = (met.get(key) ?? 0) + 1;
    met.set(key, count);
    return count === 1 ? name : `${name} (${count})`;
  };
}

module.exports = {
  plan,
  fileOf,
  write,
  messageOf,
  numbering,
  /** Where a file comes in the order, −1 if it is left out. Without an arrangement all files run as they come. */
  placeOfFile: file => (files ? files.indexOf(file) : 0),
  /** The tests of a file that run, in order; `undefined`: all of them. */
  testsOf: file => plan.arrangement?.find(part => part.file === file)?.tests,
};
