/** Data that consists of records: each of them says how long it is. */
import { byteCuts } from '../../circumstances/text.js';
import { all, type Circumstance, type Configuration, deltasOf, minus } from '../../core/index.js';
import { onceForLast } from '../../core/once-for.js';
import { pauseIfDue } from '../../core/pause.js';
import { textOf } from '../../core/trace.js';
import type { Span } from '../../syntax/edit.js';
import { edited, outermost } from '../spans.js';
import { fitted } from './fit.js';
import type { Region } from './layouts.js';
import { type RecordList, recordReader } from './records.js';
import { zeros } from './zeros.js';

/** The reductions of a file of records. */
export interface DataReductions {
  records(text: string): Promise<Circumstance<string> | undefined>;
  bytes(text: string): Promise<Circumstance<string> | undefined>;
  zeros(text: string): Promise<Circumstance<string> | undefined>;
}

/** All of them know from the original which kinds of records there are. */
export function dataReductions(original: Uint8Array): DataReductions {
  const read = recordReader(original);
  const listIn = onceForLast(text => read(Buffer.from(text, 'latin1')));
  return {
    async records(text) {
      const list = await listIn(text);
      return list && wholeRecords(text, list);
    },
    async bytes(text) {
      const list = await listIn(text);
      return list && bytesOfRecords(text, list);
    },
    async zeros(text) {
      const list = await listIn(text);
      return zeros(text, list && hasChecksums(list) ? changes => fitted(text, list, changes) : undefined);
    },
  };
}

const hasChecksums = ({ records }: RecordList): boolean =>
  records.some(({ checkedFrom, inner }) => checkedFrom !== undefined || (inner !== undefined && hasChecksums(inner)));

/**
 * Records as deltas, and also what is in each of them. A record goes with what all lengths around it count of it, and with one from
 * the number of records: what is left is a file of the same kind, so that a program reads it as before.
 */
function wholeRecords(text: string, list: RecordList): Circumstance<string> {
  const records: Region[] = [];
  const collect = ({ records: inner }: RecordList): void => {
    for (const record of inner) {
      records.push(record);
      if (record.body.end > record.body.start) records.push(record.body);
      if (record.inner) collect(record.inner);
    }
  };
  collect(list);
  return partsOf('record', text, list, records);
}

/** Of large data, several bytes are one delta: each of them is an object. */
const mostPieces = 200_000;

/** The bytes of records as deltas. A byte goes with one from each length that counts it. */
async function bytesOfRecords(text: string, list: RecordList): Promise<Circumstance<string> | undefined> {
  const found: Region[] = [];
  const atOnce = Math.ceil(text.length / mostPieces);
  const collect = async ({ records }: RecordList): Promise<void> => {
    for (const { body, inner, lengths } of records) {
      const end = inner ? (inner.counter?.start ?? inner.start) : body.end;
      const cuts = byteCuts(text.slice(body.start, end));
      for (let i = 0; i + 1 < cuts.length; i += atOnce) {
        const part = { start: body.start + cuts[i]!, end: body.start + cuts[Math.min(i + atOnce, cuts.length - 1)]! };
        if (!lengths.some(length => part.start < length.end && part.end > length.start)) found.push(part);
      }
      if (inner) await collect(inner);
      await pauseIfDue();
    }
  };
  await collect(list);
  return found.length === 0 ? undefined : partsOf('byte of a record', text, list, found);
}

/** The parts as deltas; those in another one come after it. */
function partsOf(name: string, text: string, list: RecordList, parts: readonly Region[]): Circumstance<string> {
  const trace = (configuration: Configuration) => {
    const changes = outermost(goneFrom(parts, configuration));
    const all = fitted(text, list, changes);
    return all && edited(text.length, all);
  };
  return {
    name,
    count: parts.length,
    weights: Uint32Array.from(parts, ({ start, end }) => end - start),
    build(configuration) {
      const fragments = trace(configuration);
      return fragments && textOf(fragments, text);
    },
    trace: configuration => trace(configuration) ?? [],
    describe: delta => `${name} at ${parts[delta]!.start}`,
  };
}

/** Neighbours as one. */
function goneFrom(parts: readonly Region[], configuration: Configuration): readonly Span[] {
  const found: Span[] = [];
  for (const delta of deltasOf(minus(all(parts.length), configuration))) {
    const { start, end } = parts[delta]!;
    const last = found.at(-1);
    if (last && last.end === start) found[found.length - 1] = { ...last, end };
    else found.push({ start, end, text: '' });
  }
  return found;
}
