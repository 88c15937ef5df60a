'use strict';

const money = require('./money');

exports.names = function (entries) {
  return [...new Set(entries.map(entry => entry.account))].sort();
};

exports.of = function (entries, name) {
  return entries.filter(entry => entry.account === name);
};

exports.balance = function (entries, name) {
  const amounts = exports.of(entries, name).map(entry => entry.amount);
  return money.sum(amounts);
};

exports.balances = function (entries) {
  return exports.names(entries).map(function (name) {
    return { name, cents: exports.balance(entries, name) };
  });
};

exports.largest = function (entries) {
  let best = null;
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
    return { ...entry, account: to };
  });
};
