/** OCaml: `Fatal error: exception X`, with `Raised at f in file …` if backtraces are on. */
import type { Family } from '../found.js';

export const ocaml: Family = ({ text }) => {
  const said = /^Fatal error: exception (.*)$/m.exec(text)?.[1];
  if (said === undefined) return undefined;
  const frames = [
    ...text.matchAll(
      /^(?:Raised(?: by primitive operation)?|Re-raised|Called(?: from)?) (?:at |from )?([\w.]+)(?: in file| |$)/gm,
    ),
  ]
    .map(match => ({ name: match[1]!.replace(/^Stdlib(?:__|\.)/, '') }))
    .filter(({ name }) => !/^(?:at|from|file|failwith|invalid_arg)$/.test(name));
  // An assertion is known by its place in the program.
  const [, file, line, what] = /^File "([^"]+)", line (\d+), characters [\d-]+: (.*)$/.exec(said) ?? [];
  const own =
    file === undefined ? { line: `exception ${said}` } : { line: `exception ${what}`, place: `${file}:${line}` };
  return { kind: 'ocaml', ...own, frames, depth: /^Stack_overflow/.test(said) ? 0 : 1 };
};
