/** Adds syntax colours to the files of a page, with the grammars that the reductions use. */
import { isUtf8 } from 'node:buffer';
import { coloursOf } from '../syntax/colours.js';
import { type ComparedFile, textOf } from './compare.js';
import type { ReportData } from './page/data.js';

/** A parse blocks everything else, so the page of a running run colours less. */
const largest = { running: 40_000, ended: 400_000 };
const mostFiles = 20;

export async function withColours(data: ReportData): Promise<ReportData> {
  const limit = data.ended ? largest.ended : largest.running;
  if (!data.files) return data;
  const files: ComparedFile[] = [];
  for (const [i, file] of data.files.entries()) files.push(i < mostFiles ? await coloured(file, limit) : file);
  return { ...data, files };
}

async function coloured(file: ComparedFile, limit: number): Promise<ComparedFile> {
  const { path, original, result } = file;
  if (path === undefined || result === undefined) return file;
  const coloursIn = async (content: string | Uint8Array) =>
    content.length <= limit && (typeof content === 'string' || isUtf8(content))
      ? await coloursOf(path, textOf(content)).catch(() => undefined)
      : undefined;
  const [ofOriginal, ofResult] = [await coloursIn(original), await coloursIn(result)];
  return { ...file, colours: { ...(ofOriginal && { original: ofOriginal }), ...(ofResult && { result: ofResult }) } };
}
