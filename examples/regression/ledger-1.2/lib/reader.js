'use strict';

var dates = require('./dates');
var money = require('./money');

// One entry a line: date; account; text; amount.
exports.read = function (text) {
  var entries = [];
  var lines = text.split('\n');
  for (var i = 0; i < lines.length; i++) {
    var line = lines[i].trim();
    if (line === '' || line.charAt(0) === '#') {
      continue;
    }
    entries.push(exports.entry(line, i + 1));
  }
  return entries;
};

exports.entry = function (line, number) {
  var fields = line.split(';');
  if (fields.length !== 4) {
    throw new Error('line ' + number + ': four fields are needed');
  }

  var date = dates.parse(fields[0].trim());
  var account = fields[1].trim();
  var text = fields[2].trim();
  var amount = money.parse(fields[3].trim());
  return { date: date, account: account, text: text, amount: amount, line: number };
};

exports.write = function (entries) {
  var lines = [];
  for (var i = 0; i < entries.length; i++) {
    var entry = entries[i];
    lines.push([dates.iso(entry.date), entry.account, entry.text, money.format(entry.amount)].join('; '));
  }
  return lines.join('\n') + '\n';
};
