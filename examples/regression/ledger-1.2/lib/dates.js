'use strict';

var MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

// 2024-03-07, or 7 Mar 2024.
exports.parse = function (text) {
  var iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (iso) {
    return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  }
  var words = text.split(' ');
  var month = MONTHS.indexOf(words[1]) + 1;
  if (words.length !== 3 || month === 0) {
    throw new Error('not a date: ' + text);
  }
  return { year: Number(words[2]), month: month, day: Number(words[0]) };
};

exports.format = function (date) {
  return date.day + ' ' + MONTHS[date.month - 1] + ' ' + date.year;
};

exports.iso = function (date) {
  var month = date.month < 10 ? '0' + date.month : String(date.month);
  var day = date.day < 10 ? '0' + date.day : String(date.day);
  return date.year + '-' + month + '-' + day;
};

exports.compare = function (a, b) {
  if (a.year !== b.year) {
    return a.year - b.year;
  }
  if (a.month !== b.month) {
    return a.month - b.month;
  }
  return a.day - b.day;
};

exports.quarter = function (date) {
  return Math.floor((date.month - 1) / 3) + 1;
};

exports.isLeap = function (year) {
  if (year % 400 === 0) {
    return true;
  }
  return year % 4 === 0 && year % 100 !== 0;
};
