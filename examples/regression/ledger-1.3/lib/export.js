'use strict';

const dates = require('./dates');
const money = require('./money');

function quote(text) {
  if (/[",\n]/.test(text)) {
    return `"${text.replaceAll('"', '""')}"`;
  }
  return text;
}

exports.write = function (entries) {
  var lines = ['date,account,text,amount'];
  entries.forEach(function (entry) {
    var cells = [dates.iso(entry.date), entry.account, entry.text, money.format(entry.amount)];
    lines.push(cells.map(quote).join(','));
  });
  return `${lines.join('\n')}\n`;
};
