// As much of a terminal as culprit uses: lines of styled text, cursor up, carriage return, erase.

export const emptyScreen = () => ({ lines: [[]], row: 0, column: 0, style: '' });

/** The screen after this text was written to it. A line is a list of cells: a character and its style. */
export function write(screen, text, columns) {
  let { row, column, style } = screen;
  const lines = screen.lines.map(line => [...line]);
  for (const [part, code, letter] of text.matchAll(/\x1b\[([\d;?]*)([A-Za-z])|\r|\n|[^\x1b]/gu)) {
    if (letter === 'm') style = code === '0' || code === '' ? '' : code;
    else if (letter === 'A') row = Math.max(0, row - Number(code || 1));
    else if (letter === 'K') lines[row].length = Math.min(lines[row].length, column);
    else if (letter === 'J') {
      lines[row].length = Math.min(lines[row].length, column);
      lines.length = row + 1;
    } else if (part === '\r') column = 0;
    else if (part === '\n') {
      row++;
      column = 0;
      while (lines.length <= row) lines.push([]);
    } else if (letter === undefined) {
      if (column >= columns) {
        column = 0;
        if (++row === lines.length) lines.push([]);
      }
      while (lines[row].length < column) lines[row].push([' ', '']);
      lines[row][column++] = [part, style];
    }
  }
  return { lines, row, column, style };
}
