// For jest's --reporters: writes down how each test ended.
const { plan, fileOf, write, numbering } = require('./plan.cjs');
const { beforeFile } = require('./watch.cjs');

const colour = /\u001b\[[0-9;]*m/g;

module.exports = class Reporter {
  onTestFileStart(test) {
    beforeFile(fileOf(test.path), `${plan.results}.state`);
  }

  onTestFileResult(test, { testResults, testExecError }) {
    const file = fileOf(test.path);
    const number = numbering();
    if (testExecError) process.stdout.write(`${file}: ${testExecError.message}\n`);
    for (const { ancestorTitles, title, status, failureMessages = [] } of testResults) {
      const name = number(file, [...ancestorTitles, title].join(' › '));
      const message = (failureMessages[0] ?? 'failed').replace(colour, '').replace(/\n\s+at [\s\S]*/, '');
      if (status === 'passed') write({ file, name, state: 'passed' });
      if (status === 'failed') process.stdout.write(`${file} › ${name}: ${message}\n`);
      if (status === 'failed') write({ file, name, state: 'failed', message: message.slice(0, 2000) });
    }
  }
};
