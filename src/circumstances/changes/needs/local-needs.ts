/** Which changes of a C function use a variable that another one declares. */
import type { Arrow } from '../arrows.js';
import type { Changes } from '../changes.js';
import type { Places, Side } from '../places.js';
import { splitAtCommas, withoutComments } from './declarations.js';
import { allNames } from './names.js';

const localDeclaration =
  /^\s*(?:(?:const|static|register|volatile|struct|union|enum|unsigned|signed|long|short)\s+)*([A-Za-z_]\w*)[\s*]+([A-Za-z_].*);\s*$/;
const notAType = new Set('return goto else case typedef sizeof break continue do'.split(' '));

/** Names of variables that a line of a function declares. */
function localsIn(line: string): readonly string[] {
  const found = localDeclaration.exec(line);
  if (!found || notAType.has(found[1]!)) return [];
  return splitAtCommas(found[2]!).flatMap(each => /^[\s*]*([A-Za-z_]\w*)/.exec(each)?.[1] ?? []);
}

interface Body {
  readonly file: number;
  readonly side: Side;
  readonly from: number;
  readonly to: number;
}

/** A variable that only one version of a function declares: the changes that use it need the one that declares it. */
export function localNeeds({ changes, files }: Changes, at: Places, { file, side, from, to }: Body): readonly Arrow[] {
  const deltas = at.between(file, side, from, to);
  if (deltas.length < 2) return [];
  const { oldLines, newLines } = files[file]!;
  const linesOn = (which: Side) =>
    deltas.map(delta =>
      withoutComments(
        changes[delta]!.parts.filter(part => part.file === file).flatMap(part =>
          which === 'old'
            ? oldLines.slice(part.oldStart, part.oldStart + part.oldCount)
            : newLines.slice(part.newStart, part.newStart + part.newCount),
        ),
      ),
    );
  const here = linesOn(side);
  const names = here.map(lines => new Set(allNames(lines)));
  const kept = new Set(linesOn(side === 'old' ? 'new' : 'old').flatMap(lines => lines.flatMap(localsIn)));
  const arrows: Arrow[] = [];
  for (const [i, definer] of deltas.entries())
    for (const name of here[i]!.flatMap(localsIn).filter(each => !kept.has(each)))
      for (const [j, user] of deltas.entries())
        if (i !== j && names[j]!.has(name)) arrows.push(side === 'new' ? [user, definer] : [definer, user]);
  return arrows;
}
