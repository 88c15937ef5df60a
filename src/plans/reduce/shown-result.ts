/** What people see of a result: a short text, or the bytes of data. */
import type { Artifact } from '../../core/artifact.js';
import { isBinary } from '../../core/decode.js';
import type { Answer } from '../../report/page/data.js';
import { hexDump } from '../hex-dump.js';

/** Data as its bytes: as text it can't be read. */
export function bytesThatMatter(best: Artifact): { readonly answer?: Answer } {
  const [[where, only] = []] = best.files;
  if (where === undefined || best.files.size !== 1 || only?.kind !== 'file' || !isBinary(only.bytes)) return {};
  const code = hexDump(only.bytes);
  return code === undefined ? {} : { answer: { places: [{ where, code }] } };
}

/** A short text to show at the end, or the bytes of data; `undefined` for folders and for what is long. */
export function textOf(artifact: Artifact): string | undefined {
  const [only] = artifact.files.values();
  if (artifact.files.size !== 1 || only?.kind !== 'file') return undefined;
  if (isBinary(only.bytes)) return hexDump(only.bytes);
  return only.bytes.length > 4096 ? undefined : Buffer.from(only.bytes).toString('utf8');
}
