/** Tcl: the message, then `    while executing` and what called it. */
import type { Family, Frame } from '../found.js';

export const tcl: Family = ({ lines }) => {
  const at = lines.findIndex(line => began.test(line));
  const message = lines.slice(0, Math.max(0, at)).findLast(line => line.trim() !== '');
  if (message === undefined) return undefined;
  // A procedure is in the file at the end of the trace, as far as Tcl says.
  const file = lines.slice(at).flatMap(line => /^ {4}\(file "(.+)" line \d+\)/.exec(line)?.[1] ?? [])[0];
  const frames = lines.slice(at).flatMap((line): readonly Frame[] => {
    const name = /^ {4}\(procedure "(.+)" line \d+\)/.exec(line)?.[1];
    return name === undefined ? [] : [{ name, ...(file === undefined ? {} : { file }) }];
  });
  return { kind: 'tcl', line: message, frames, depth: /\bnested evaluations\b/.test(message) ? 0 : 1 };
};

const began = /^ {4}(?:while (?:executing|compiling)|invoked from within)$/;
