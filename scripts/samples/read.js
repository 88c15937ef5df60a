// Finds the samples in a page: blocks that show what the command above them prints, or a file that it writes.

/**
 * A sample is a fenced block after `<!-- output -->` or `<!-- file name -->`; `<!-- output in examples/tests -->` says where the command runs.
 * The command is the last `culprit …` line of the nearest `sh` block above. `from` and `to` are the limits of the block's text.
 */
export function samplesIn(text) {
  const found = [];
  let command;
  const fence = /^(?:<!-- (output|file) ?(.*?) -->\n)?```(\w*)\n([\s\S]*?)^```$/gm;
  for (const match of text.matchAll(fence)) {
    const [whole, kind, rest = '', language, body] = match;
    if (kind === undefined) {
      if (language === 'sh') command = commandsOf(body).at(-1) ?? command;
      continue;
    }
    if (command === undefined) throw new Error(`A sample has no command above it: ${whole.split('\n')[0]}`);
    const [, name = '', folder] = /^(.*?) ?(?:in (\S+))?$/.exec(rest) ?? [];
    const to = match.index + whole.length - '```'.length;
    found.push({ command, kind, name, folder, text: body, from: to - body.length, to });
  }
  return found;
}

/** The lines of a shell block that start culprit. */
export const commandsOf = block => block.split('\n').filter(line => /^(npx )?culprit /.test(line));

/** All `culprit` lines of a page's shell blocks. */
export const commandsIn = text =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) => commandsOf(block));

/**
 * What the machine and the day change: times, how much was run ahead of need, and what it cost. What was found must not change.
 */
export const stable = text =>
  text
    .replace(/^ {2}tests {6}.*$/gm, '  tests')
    .replace(/; isolated in \d+ tests?/g, '')
    .replace(/\b\d+(\.\d+)? m?s\b/g, '… s');
