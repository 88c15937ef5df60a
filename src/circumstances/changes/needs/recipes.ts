/** Ties a file that comes or goes to what the makefile and others say about it. */
import type { Changes } from '../changes.js';
import { hasDeclarations, header, source } from './languages.js';

const recipe = /(?:^|\/)(?:GNUm|[Mm])akefile(?:\.\w+)?$|\.mk$|CMakeLists\.txt$|meson\.build$/;

/** The changes of makefiles. */
const recipesIn = ({ changes, files }: Changes): readonly number[] =>
  [...changes.keys()].filter(delta =>
    changes[delta]!.parts.some(({ file }) => recipe.test(files[file]!.newPath ?? files[file]!.oldPath ?? '')),
  );

/** Whether a change removes or adds a line with this. */
const mentionsIn = ({ changes, files }: Changes, delta: number, text: RegExp): boolean =>
  changes[delta]!.parts.some(({ file, oldStart, oldCount, newStart, newCount }) => {
    const { oldLines, newLines } = files[file]!;
    const lines = [...oldLines.slice(oldStart, oldStart + oldCount), ...newLines.slice(newStart, newStart + newCount)];
    return lines.some(line => text.test(line));
  });

/** The changes that include, make or bring a file: what includes it needs what makes it. */
export function aboutFile(between: Changes, name: string): readonly number[] {
  const { changes, files } = between;
  const text = new RegExp(`(?<![\\w.-])${name.replace(/\W/g, '\\$&')}(?![\\w-])`);
  const recipes = new Set(recipesIn(between));
  return [...changes.keys()].filter(delta => {
    const isCode = changes[delta]!.parts.some(({ file }) => hasDeclarations(between, file));
    if (!isCode && !recipes.has(delta)) return false;
    const path = files[changes[delta]!.parts[0]!.file]!;
    return text.test(path.newPath ?? path.oldPath ?? '') || mentionsIn(between, delta, text);
  });
}

export function tieRecipes(between: Changes, tie: (deltas: Iterable<number>) => void): void {
  const recipes = recipesIn(between);
  for (const [delta, { kind, parts }] of between.changes.entries()) {
    if (kind !== 'add' && kind !== 'delete') continue;
    const path = parts[0]!.newPath ?? parts[0]!.oldPath!;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isObject = source.test(name) && !header.test(name);
    const stem = (isObject ? name.replace(/\w+$/, '') : name).replace(/\W/g, '\\$&');
    // A makefile may say `array.c`, `array.o` or `array$o`.
    const mentions = new RegExp(`\\b${isObject ? `${stem.slice(0, -2)}[.$]` : stem}`);
    const naming = recipes.filter(each => mentionsIn(between, each, mentions));
    tie([delta, ...naming]);
  }
}
