'use strict';

function pad(text, width) {
  while (text.length < width) {
    text = text + ' ';
  }
  return text;
}

function padLeft(text, width) {
  while (text.length < width) {
    text = ' ' + text;
  }
  return text;
}

exports.render = function (rows, head) {
  var all = head ? [head].concat(rows) : rows;
  var widths = [];
  for (var i = 0; i < all.length; i++) {
    for (var j = 0; j < all[i].length; j++) {
      widths[j] = Math.max(widths[j] || 0, String(all[i][j]).length);
    }
  }

  var lines = all.map(function (row) {
    return exports.line(row, widths);
  });
  if (head) {
    lines.splice(1, 0, exports.rule(widths));
  }
  return lines.join('\n');
};

exports.line = function (row, widths) {
  var cells = [];
  for (var j = 0; j < row.length; j++) {
    var text = String(row[j]);
    var isNumber = typeof row[j] === 'number' || /^-?[\d,.]+$/.test(text);
    cells.push(isNumber ? padLeft(text, widths[j]) : pad(text, widths[j]));
  }
  return cells.join('  ');
};

exports.rule = function (widths) {
  var cells = widths.map(function (width) {
    return pad('', width).replace(/ /g, '-');
  });
  return cells.join('  ');
};
