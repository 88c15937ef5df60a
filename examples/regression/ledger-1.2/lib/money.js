'use strict';

// Amounts are kept in cents.

exports.parse = function (text) {
  var sign = 1;
  if (text.charAt(0) === '-') {
    sign = -1;
    text = text.slice(1);
  }
  var plain = text.trim().replace(/,/g, '');
  var cents = Math.round(Number(plain) * 100);
  return sign * cents;
};

exports.format = function (cents, currency) {
  var sign = cents < 0 ? '-' : '';
  var whole = Math.floor(Math.abs(cents) / 100);
  var rest = Math.abs(cents) % 100;

  var digits = String(whole);
  var grouped = '';
  while (digits.length > 3) {
    grouped = ',' + digits.slice(-3) + grouped;
    digits = digits.slice(0, -3);
  }

  var fraction = rest < 10 ? '0' + rest : String(rest);
  var amount = sign + digits + grouped + '.' + fraction;
  if (currency) {
    return amount + ' ' + currency;
  }
  return amount;
};

exports.sum = function (amounts) {
  var total = 0;
  for (var i = 0; i < amounts.length; i++) {
    total += amounts[i];
  }
  return total;
};

exports.share = function (cents, percent) {
  return Math.round((cents * percent) / 100);
};

exports.isRound = function (cents) {
  return cents % 100 === 0;
};
