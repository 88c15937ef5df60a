'use strict';

const dates = require('./dates');
const money = require('./money');

// One entry a line: date; account; text; amount. What begins with # is a remark.
exports.read = function (text) {
  var entries = [];
  const lines = text.split(/\r?\n/);
  for (var i = 0; i < lines.length; i++) {
    var line = lines[i].trim();
    if (line === '' || line.startsWith('#')) {
      continue;
    }
    entries.push(exports.entry(line, i + 1));
  }
  return entries;
};

exports.entry = function (line, number) {
  const fields = line.split(';').map(field => field.trim());
  if (fields.length !== 4) {
    throw new Error(`line ${number}: ${fields.length} fields, and four are needed`);
  }

  const date = dates.parse(fields[0]);
  var account = fields[1].trim();
  var text = fields[2].trim();
  const amount = money.parse(fields[3]);
  return { date, account, text, amount, line: number };
};

exports.write = function (entries) {
  const lines = [];
  for (const entry of entries) {
    lines.push([dates.iso(entry.date), entry.account, entry.text, money.format(entry.amount)].join('; '));
  }
  return `${lines.join('\n')}\n`;
};
