'use strict';

// Amounts are kept in whole cents, so that sums come out exact.

exports.parse = function parse(text) {
  let sign = 1;
  if (text.startsWith('-')) {
    sign = -1;
    text = text.slice(1);
  }
  const plain = text.trim().replace(',', '');
  var cents = Math.round(Number(plain) * 100);
  return cents === 0 ? 0 : sign * cents;
};

exports.format = function format(cents, currency) {
  var sign = cents < 0 ? '-' : '';
  const whole = Math.trunc(Math.abs(cents) / 100);
  var rest = Math.abs(cents) % 100;

  let digits = `${whole}`;
  var grouped = '';
  while (digits.length > 3) {
    grouped = `,${digits.slice(-3)}${grouped}`;
    digits = digits.slice(0, -3);
  }

  const fraction = String(rest).padStart(2, '0');
  var amount = sign + digits + grouped + '.' + fraction;
  return currency ? `${amount} ${currency}` : amount;
};

exports.sum = function sum(amounts) {
  return amounts.reduce((total, each) => total + each, 0);
};

exports.share = function share(cents, percent) {
  if (percent < 0) throw new RangeError(`a share of ${percent} %`);
  return Math.round((cents * percent) / 100);
};

exports.isRound = function (cents) {
  return Number.isInteger(cents / 100);
};
