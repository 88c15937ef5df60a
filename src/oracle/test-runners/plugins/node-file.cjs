// For node's --require, in the process of each test file: notes which files the test files before it left behind.
const { plan, fileOf } = require('./plan.cjs');
const { beforeFile } = require('./watch.cjs');

const isFileOfItsOwn = process.argv[1] && !process.execArgv.includes('--test');
if (plan.watch && isFileOfItsOwn) beforeFile(fileOf(process.argv[1]), `${plan.results}.state`);
