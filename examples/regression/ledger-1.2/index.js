'use strict';

var accounts = require('./lib/accounts');
var dates = require('./lib/dates');
var money = require('./lib/money');
var reader = require('./lib/reader');
var table = require('./lib/table');

exports.read = reader.read;
exports.write = reader.write;
exports.csv = require('./lib/csv').write;
exports.balances = accounts.balances;

exports.statement = function (text, currency) {
  var entries = reader.read(text).sort(function (a, b) {
    return dates.compare(a.date, b.date);
  });
  var rows = accounts.balances(entries).map(function (balance) {
    return [balance.name, money.format(balance.cents)];
  });
  var total = money.sum(
    entries.map(function (entry) {
      return entry.amount;
    }),
  );
  rows.push(['total', money.format(total, currency)]);
  return table.render(rows, ['account', 'balance']);
};
