'use strict';

const money = require('./money');

exports.byYear = function byYear(entries) {
  const years = new Map();
  for (const entry of entries) {
    const { year } = entry.date;
    years.set(year, money.sum([years.get(year) ?? 0, entry.amount]));
  }
  return years;
};
