/** Finds the lists of records in data. */
import { pauseIfDue } from '../../core/pause.js';
import { costOf, evidenceFor, type Rarity, rarityIn } from './evidence.js';
import { type Budget, families, follow, type Layout, type Records, type Region } from './layouts.js';

/** In front of the first record there are at most so many bytes. */
const longestHeader = 64;
/** More records are not read to find out which of all layouts fits a region: data that repeats itself fits many. */
const readings = 2_000_000;
/** With less evidence, the records are as likely as not to be there by chance. */
const enough = 5;
const sure = 20;
/** The same kind of list was found elsewhere. */
const someEvidence = 2;

/** The list of records that a region consists of, from somewhere near its start. */
export async function recordsIn(data: Uint8Array, region: Region): Promise<Records | undefined> {
  const best = { whole: none, open: none, around: none };
  const budget = { left: readings };
  const rarity = rarityIn(data, region);
  const reading = { rarity, budget };
  const latest = Math.min(region.start + longestHeader, region.end - 2);
  for (let start = region.start; start <= latest && budget.left > 0; start++) {
    for (const { before, form, layouts } of families) {
      const first = form.read(data, start + before);
      // Zeros in front of a list look like an empty record.
      if (!first || first.value === 0 || first.value > region.end - start) continue;
      for (const layout of layouts) {
        const records = listFrom(data, layout, { start, end: region.end }, reading);
        if (!records) continue;
        const found = { records, evidence: evidenceFor(data, records, rarity) - costOf(data, records, region) };
        const kind = records.isOpen ? 'open' : 'whole';
        if (isBetter(found, best[kind])) best[kind] = found;
        if (records.starts.length === 1 && isBetter(found, best.around)) best.around = found;
      }
    }
    await pauseIfDue();
  }
  const { whole, open, around } = best;
  // Parts of a list that reaches the end look like one that does not.
  if (whole.evidence < sure && isBetter(open, whole)) return open.records;
  // A record around all of the others is as much a record as they are; they are found in it later.
  return (around.records && around.records.start < whole.records!.start ? around : whole).records;
}

interface Candidate {
  readonly records?: Records;
  readonly evidence: number;
}
const none: Candidate = { evidence: enough };

/** In a list that is there for sure, a later record is no beginning of another one. */
const isBetter = ({ records, evidence }: Candidate, than: Candidate): boolean =>
  evidence > than.evidence && !(than.evidence >= sure && records!.start >= than.records!.ends[0]!);

/** A kind of list that was found before: its layout, and what is in front of its first record. */
export interface Known {
  readonly layout: Layout;
  readonly skipped: number;
}

/** The list of records that a region consists of, if it is one of these kinds. */
export function recordsLike(data: Uint8Array, kinds: readonly Known[], region: Region): Records | undefined {
  let best: Candidate = { evidence: someEvidence };
  const rarity = rarityIn(data, region);
  for (const { layout, skipped } of kinds) {
    const start = region.start + skipped;
    const records = listFrom(data, layout, { start, end: region.end }, { rarity, budget: { left: readings } });
    if (!records || (records.isOpen && best.records && !best.records.isOpen)) continue;
    const found = { records, evidence: evidenceFor(data, records, rarity) };
    if (found.evidence > best.evidence) best = found;
  }
  return best.records;
}

interface Reading {
  readonly rarity: Rarity;
  readonly budget: Budget;
}

/** Up to the end of the region, or else as far as all records have the same mark. */
function listFrom(data: Uint8Array, layout: Layout, region: Region, { rarity, budget }: Reading): Records | undefined {
  const records = follow(data, layout, region, budget);
  if (!records?.isOpen) {
    budget.left -= 4 * (records?.starts.length ?? 0);
    return records;
  }
  const count = records.starts.length < fewestOpen ? 0 : rarity.marked(records);
  return count < fewestOpen
    ? undefined
    : {
        ...records,
        end: records.starts[count] ?? records.end,
        starts: records.starts.slice(0, count),
        ends: records.ends.slice(0, count),
      };
}
/** With fewer, they are there by chance if they do not reach the end. */
const fewestOpen = 3;
