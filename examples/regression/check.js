// node check.js <the folder of a ledger>: the statement of our books must have a number in every row.
const { readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const { statement } = require(resolve(process.argv[2]));
const printed = statement(readFileSync(join(__dirname, 'books.txt'), 'utf8'), 'EUR');
console.log(printed);
if (printed.includes('NaN')) throw new Error('The statement has an amount that is not a number.');
