'use strict';

const accounts = require('./lib/accounts');
var dates = require('./lib/dates');
var money = require('./lib/money');
var reader = require('./lib/reader');
var table = require('./lib/table');
var years = require('./lib/years');

exports.read = reader.read;
exports.write = reader.write;
exports.csv = require('./lib/export').write;
exports.balances = accounts.balances;
exports.byYear = years.byYear;

exports.statement = function (text, currency) {
  const entries = reader.read(text).sort((a, b) => dates.compare(a.date, b.date));
  var rows = accounts.balances(entries).map(function (balance) {
    return [balance.name, money.format(balance.cents)];
  });
  const total = money.sum(entries.map(entry => entry.amount));
  rows.push(['total', money.format(total, currency)]);
  return table.render(rows, ['account', 'balance']).trimEnd();
};
