/** Ties a source file that comes or goes to what the makefile says about it. */
import type { Changes } from './changes.js';
import { header, source } from './languages.js';

const recipe = /(?:^|\/)(?:GNUm|[Mm])akefile(?:\.\w+)?$|\.mk$|CMakeLists\.txt$|meson\.build$/;

export function tieRecipes({ changes, files }: Changes, tie: (deltas: Iterable<number>) => void): void {
  const recipes = [...changes.keys()].filter(delta =>
    changes[delta]!.parts.some(({ file }) => recipe.test(files[file]!.newPath ?? files[file]!.oldPath ?? '')),
  );
  for (const [delta, { kind, parts }] of changes.entries()) {
    if (kind !== 'add' && kind !== 'delete') continue;
    const path = parts[0]!.newPath ?? parts[0]!.oldPath!;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isObject = source.test(name) && !header.test(name);
    const stem = (isObject ? name.replace(/\w+$/, '') : name).replace(/\W/g, '\\$&');
    // A makefile may say `array.c`, `array.o` or `array$o`.
    const mentions = new RegExp(`\\b${isObject ? `${stem.slice(0, -2)}[.$]` : stem}`);
    const naming = recipes.filter(each =>
      changes[each]!.parts.some(({ file, oldStart, oldCount, newStart, newCount }) => {
        const { oldLines, newLines } = files[file]!;
        const lines = [
          ...oldLines.slice(oldStart, oldStart + oldCount),
          ...newLines.slice(newStart, newStart + newCount),
        ];
        return lines.some(line => mentions.test(line));
      }),
    );
    tie([delta, ...naming]);
  }
}
