'use strict';

function pad(text, width) {
  return text.padEnd(width);
}

function padLeft(text, width) {
  return text.padStart(width);
}

exports.render = function (rows, head) {
  const all = head ? [head, ...rows] : rows;
  var widths = [];
  for (var i = 0; i < all.length; i++) {
    for (var j = 0; j < all[i].length; j++) {
      widths[j] = Math.max(widths[j] ?? 0, String(all[i][j]).length);
    }
  }

  const lines = all.map(row => exports.line(row, widths));
  if (head) {
    lines.splice(1, 0, exports.rule(widths));
  }
  return lines.join('\n');
};

exports.line = function (row, widths) {
  const cells = [];
  for (var j = 0; j < row.length; j++) {
    var text = String(row[j]);
    const isNumber = typeof row[j] === 'number' || /^-?[\d,.]+( [A-Z]{3})?$/.test(text);
    cells.push(isNumber ? padLeft(text, widths[j]) : pad(text, widths[j]));
  }
  return cells.join('  ');
};

exports.rule = function (widths) {
  const cells = widths.map(width => '-'.repeat(width));
  return cells.join('  ');
};
