/** What a program printed, prepared for reading. */
export interface Output {
  readonly text: string;
  readonly lines: readonly string[];
}

// A report is at the beginning or at the end of what a program prints. The middle of a huge output is skipped.
const headBytes = 256 * 1024;
const tailBytes = 256 * 1024;
// Minified sources are quoted as one line of a megabyte.
const lineLength = 2000;
// A caret below such a line comes after as many blanks: too many for a pattern to check one by one.
const blanks = /[ \t]{80,}/g;

const decoder = new TextDecoder();
const colours = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;

export function readOutput(bytes: Uint8Array): Output {
  const text =
    bytes.length <= headBytes + tailBytes
      ? decoder.decode(bytes)
      : `${decoder.decode(bytes.subarray(0, headBytes))}\n${decoder.decode(bytes.subarray(bytes.length - tailBytes))}`;
  const lines = text
    .replace(colours, '')
    .replace(blanks, '        ')
    .split(/\r\n|\n|\r/)
    .map(line => (line.length > lineLength ? line.slice(0, lineLength) : line));
  return { text: lines.join('\n'), lines };
}
