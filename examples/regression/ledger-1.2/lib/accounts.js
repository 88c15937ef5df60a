'use strict';

var money = require('./money');

exports.names = function (entries) {
  var names = [];
  for (var i = 0; i < entries.length; i++) {
    if (names.indexOf(entries[i].account) < 0) {
      names.push(entries[i].account);
    }
  }
  names.sort();
  return names;
};

exports.of = function (entries, name) {
  return entries.filter(function (entry) {
    return entry.account === name;
  });
};

exports.balance = function (entries, name) {
  var amounts = exports.of(entries, name).map(function (entry) {
    return entry.amount;
  });
  return money.sum(amounts);
};

exports.balances = function (entries) {
  return exports.names(entries).map(function (name) {
    return { name: name, cents: exports.balance(entries, name) };
  });
};

exports.largest = function (entries) {
  var best = null;
  for (var i = 0; i < entries.length; i++) {
    if (best === null || Math.abs(entries[i].amount) > Math.abs(best.amount)) {
      best = entries[i];
    }
  }
  return best;
};

exports.merge = function (entries, from, to) {
  return entries.map(function (entry) {
    if (entry.account !== from) {
      return entry;
    }
    return { date: entry.date, account: to, text: entry.text, amount: entry.amount, line: entry.line };
  });
};
