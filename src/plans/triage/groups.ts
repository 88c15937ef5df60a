/** Groups the findings: variants that turned out to be the same are joined. */
import { addAll, addTo } from '../../core/lists.js';
import { filesBySignature, type Group, keyOf, type Reduction, type Triage, type Variant } from './model.js';
import { furthestFirst } from './order.js';

const made = new WeakMap<object, readonly Group[]>();

/** The groups, each as different as possible from those before it. A triage is immutable, so they are computed once. */
export function groupsOf(triage: Pick<Triage, 'files' | 'reductions'>): readonly Group[] {
  const known = made.get(triage);
  if (known) return known;
  const groups = makeGroups(triage);
  made.set(triage, groups);
  return groups;
}

function makeGroups({ files, reductions }: Pick<Triage, 'files' | 'reductions'>): readonly Group[] {
  const bySignature = filesBySignature(files);
  const keys = new Map<string, string[]>();
  for (const signature of bySignature.keys()) {
    const key = keyOf(signature);
    addTo(keys, key, signature);
  }
  const groups = [...keys].map(([key, signatures]): Group => {
    const variants = joinSignatures(signatures, reductions).map((same): Variant => {
      const own = same.flatMap(signature => bySignature.get(signature)!);
      const forms = same.flatMap(signature => reductions.get(signature) ?? []);
      const [reduction] = [...forms].sort((a, b) => a.form.length - b.form.length);
      return { signatures: same, files: own, text: own[0]!.text ?? key, ...(reduction ? { reduction } : {}) };
    });
    const sorted = variants.sort((a, b) => b.files.length - a.files.length);
    return { key, count: sorted.reduce((sum, { files: own }) => sum + own.length, 0), variants: sorted };
  });
  return furthestFirst(groups);
}

/**
 * Signatures of one key as sets that belong together: their forms become the same text once the stack may change, or each
 * turns into the other. A change in one direction proves nothing: one defect may hide behind another.
 */
export function joinSignatures(
  signatures: readonly string[],
  reductions: ReadonlyMap<string, Reduction>,
): readonly (readonly string[])[] {
  const sets = signatures.map(signature => [signature]);
  const isOne = (a: string, b: string): boolean => {
    const [x, y] = [reductions.get(a), reductions.get(b)];
    if (!x || !y) return false;
    return isSameText(x, y) || (x.loose?.signature === b && y.loose?.signature === a);
  };
  for (let i = 0; i < sets.length; i++)
    for (let j = i + 1; j < sets.length; j++) {
      if (!sets[i]!.some(a => sets[j]!.some(b => isOne(a, b)))) continue;
      addAll(sets[i]!, sets.splice(j, 1)[0]!);
      // The larger set may now touch one that was already checked.
      j = i;
    }
  return sets;
}

/** An unfinished text does not show where it would have ended. */
function isSameText(a: Reduction, b: Reduction): boolean {
  if (!a.isDone || !b.isDone || a.name !== b.name) return false;
  return Buffer.compare(a.loose?.form ?? a.form, b.loose?.form ?? b.form) === 0;
}
