/** Elixir: `** (KeyError) key :x not found` and its indented frames; and what Erlang's compiler says of its own errors. */
import type { Family, Frame } from '../found.js';

export const beam: Family = output => exception(output) ?? internalError(output) ?? inconsistency(output);

const exception: Family = ({ lines }) => {
  const at = lines.findIndex(line => /^\*\* \(\w[\w.]*\) /.test(line));
  if (at < 0) return undefined;
  const frames: Frame[] = [];
  for (const line of lines.slice(at + 1)) {
    const match = /^ {4}(?:\([^)]*\) )?(\S+?):\d+: (.*)$/.exec(line);
    if (match)
      frames.push({
        name: match[2]!.replace(/^(?:anonymous fn\S* in )/, '').replace(/\/\d+$|\(.*$/, ''),
        file: match[1]!,
      });
  }
  return { kind: 'elixir', line: lines[at]!.replace(/^\*\* /, ''), frames, depth: 1 };
};

/** `a.erl: internal error in pass beam_ssa_opt:`, the exception and its frames. Its arguments are made of the input. */
const internalError: Family = ({ text, lines }) => {
  if (!text.includes('internal error in pass ')) return undefined;
  const at = lines.findIndex(line => /: internal error in pass \w+:$/.test(line));
  if (at < 0) return undefined;
  const pass = /: (internal error in pass \w+):$/.exec(lines[at]!)![1]!;
  const calls = [...text.matchAll(/^\s+in (?:function|call from)\s+(\S+?)\/\d+ \((\S+?)[,:)]/gm)];
  const reason = (lines[at + 1] ?? '').replace(/[({[].*$/, '').trim();
  return {
    kind: 'erlc',
    line: reason === '' ? pass : `${pass}: ${reason}`,
    frames: calls.map(([, name]) => ({ name: name! })),
    depth: 1,
  };
};

/** The instruction that it made, and must not have made. Registers and types are those of the input. */
const inconsistency: Family = ({ text }) => {
  const said = /^\s*(Internal consistency check failed).*\n\s*Instruction: +\{?(\w+).*\n\s*Error: +\{?(\w+)/m.exec(
    text,
  );
  return said ? { kind: 'erlc', line: `${said[1]}: ${said[3]} in ${said[2]}`, frames: [], depth: 0 } : undefined;
};
