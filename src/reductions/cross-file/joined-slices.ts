/** Keeps some declarations of a folder, with everything that they use in any of its files, and what imports these files. */
import type { Artifact } from '../../core/artifact.js';
import { decode, isBinary, withText } from '../../core/decode.js';
import type { Circumstance, Configuration } from '../../core/index.js';
import { add, type Fragment, type Trace, textOf } from '../../core/trace.js';
import { type LanguageProfile, languageFor } from '../../syntax/languages/index.js';
import { syntaxOf } from '../../syntax/syntax.js';
import type { Unit } from '../../syntax/units/units.js';
import { slicesOf } from '../sliced.js';
import { type ImportPlace, importOrder, importPlacesIn } from '../text/imports.js';
import type { StructureOptions } from '../tree/index.js';
import { unitsIn } from '../tree/large/slices.js';

/** It takes a second to parse as much as this. */
const longest = 2_000_000;
/** A group of declarations is at least one part in this many. */
const finest = 256;

interface JoinedFile {
  readonly path: string;
  readonly text: string;
  /** Where it begins in the text of all files. */
  readonly start: number;
}

/**
 * Slices (see `slices`) for files that share their names, as in Sass, C or PHP: all texts of the main language are one, in the order in which they are
 * imported.
 */
export async function joinedSlices(
  artifact: Artifact,
  options: StructureOptions,
): Promise<Circumstance<Artifact> | undefined> {
  const { language, files, text } = joined(artifact, options);
  if (!language || files.length < 2 || text.length > longest) return undefined;
  const syntax = await syntaxOf(language, options.grammar);
  if (syntax.grammar === undefined) return undefined;
  const fileAt = (offset: number): number => files.findLastIndex(({ start }) => start <= offset);
  const { units, fixed } = await unitsIn(syntax, text, [], options.keep);
  // If a unit is in two files, the parser did not understand what is between them.
  if (units.some(({ from, end }, i) => i > 0 && fileAt(from) !== fileAt(end - 1))) return undefined;
  const linked = linkFiles(units, files, fileAt, importPlacesIn(artifact));
  const inner = slicesOf({ text, units: linked, fixed, by: 'name' }, () => text.length / finest);
  if (!inner) return undefined;
  const traces = (configuration: Configuration) =>
    new Map(splitTrace(inner.trace!(configuration), files).map((trace, i) => [files[i]!.path, trace] as const));
  return {
    name: 'slice',
    count: inner.count,
    weights: inner.weights!,
    build(configuration) {
      const built = new Map(artifact.files);
      for (const [i, trace] of splitTrace(inner.trace!(configuration), files).entries()) {
        const { path, text: before } = files[i]!;
        const entry = artifact.files.get(path);
        const after = textOf(trace, before);
        if (entry?.kind === 'file' && after !== before) built.set(path, withText(entry, after));
      }
      return { ...artifact, files: built };
    },
    trace: traces,
    describe: delta => inner.describe?.(delta) ?? `slice ${delta}`,
  };
}

/** The files of the language that has the most text, as one text. Files of a language with modules have names of their own. */
function joined(artifact: Artifact, { language: given }: StructureOptions) {
  const texts = new Map<LanguageProfile, Map<string, string>>();
  const sizes = new Map<LanguageProfile, number>();
  for (const [path, entry] of artifact.files) {
    const own = languageFor(path, given);
    if (entry.kind !== 'file' || own.modules || own.markup || isBinary(entry.bytes)) continue;
    const { text } = decode(entry.bytes);
    texts.set(own, (texts.get(own) ?? new Map<string, string>()).set(path, text));
    sizes.set(own, (sizes.get(own) ?? 0) + text.length);
  }
  const [language] = [...sizes].sort(([, a], [, b]) => b - a)[0] ?? [];
  const files: JoinedFile[] = [];
  let text = '';
  for (const path of importOrder(artifact)) {
    const own = language && texts.get(language)!.get(path);
    if (own === undefined) continue;
    files.push({ path, text: own, start: text.length });
    text += `${own}\n`;
  }
  return { language, files, text };
}

/** No name of a program: what is kept of a file needs what imports the file. */
const nameOfFile = (path: string): string => `file ${path}`;

function linkFiles(
  units: readonly Unit[],
  files: readonly JoinedFile[],
  fileAt: (offset: number) => number,
  places: ReadonlyMap<string, readonly ImportPlace[]>,
): readonly Unit[] {
  const imported = new Set([...places.values()].flat().flatMap(({ paths }) => paths));
  return units.map((unit, i) => {
    if (i === 0) return unit;
    const { path, start, text } = files[fileAt(unit.start)]!;
    const isHere = ({ line }: ImportPlace) => {
      const end = text.indexOf('\n', line);
      return start + line < unit.end && unit.start < start + (end < 0 ? text.length : end);
    };
    const importing = (places.get(path) ?? []).filter(isHere).flatMap(({ paths }) => paths);
    return {
      ...unit,
      declares: [...unit.declares, ...importing.map(nameOfFile)],
      mentions: imported.has(path) ? [...unit.mentions, nameOfFile(path)] : unit.mentions,
    };
  });
}

/** What is left of each file. */
function splitTrace(trace: Trace, files: readonly JoinedFile[]): readonly Trace[] {
  const parts = files.map((): Fragment[] => []);
  let file = 0;
  for (const part of trace) {
    if ('text' in part) {
      add(parts[file]!, part);
      continue;
    }
    for (let at = part.start; at < part.end; ) {
      while (file + 1 < files.length && files[file + 1]!.start <= at) file++;
      const { start, text } = files[file]!;
      const end = Math.min(part.end, files[file + 1]?.start ?? part.end);
      add(parts[file]!, { start: at - start, end: Math.min(end - start, text.length) });
      at = end;
    }
  }
  return parts;
}
