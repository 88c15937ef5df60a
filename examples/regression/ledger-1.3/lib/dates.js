'use strict';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

// Dates are read as 2024-03-07, or as 7 Mar 2024.
exports.parse = function (text) {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (iso) {
    return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  }
  const words = text.split(/\s+/);
  var month = MONTHS.indexOf(words[1]) + 1;
  if (words.length !== 3 || month === 0) {
    throw new RangeError(`not a date: ${text}`);
  }
  return { year: Number(words[2]), month: month, day: Number(words[0]) };
};

exports.format = function (date) {
  return `${date.day} ${MONTHS[date.month - 1]} ${date.year}`;
};

exports.iso = function (date) {
  const two = number => String(number).padStart(2, '0');
  return `${date.year}-${two(date.month)}-${two(date.day)}`;
};

exports.compare = function (a, b) {
  if (a.year !== b.year) return a.year - b.year;
  if (a.month !== b.month) {
    return a.month - b.month;
  }
  return Math.sign(a.day - b.day);
};

exports.quarter = function (date) {
  return Math.ceil(date.month / 3);
};

exports.isLeap = function (year) {
  return year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
};
