/** Remembers the candidates of a search, as edits of the artifacts they were made from, so that the page can show them. */
import type { Artifact } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import type { Circumstance, Configuration } from '../../core/index.js';
import type { FileTraces } from '../../core/trace.js';
import type { Candidate, Candidates } from '../../report/page/data.js';

/** A candidate larger than this is not kept: nobody reads it, and it would bloat the page. */
const largestBase = 32_000;
const mostTexts = 300_000;
const mostEdits = 300_000;

interface Base {
  readonly artifact: Artifact;
  readonly circumstance: Circumstance<Artifact>;
  readonly number: number;
}

export class CandidateStore {
  #base: Base | undefined;
  #newest: (Omit<Base, 'number'> & { readonly configuration?: Configuration }) | undefined;
  #bases: { readonly texts: ReadonlyMap<string, string>; readonly size: number }[] = [];
  #rows = new Map<number, { readonly candidate: Candidate; readonly size: number }>();
  #size = 0;

  /** The newest candidate as text: of several files, the one that is changed. */
  look(): string | undefined {
    const { artifact, circumstance, configuration } = this.#newest ?? {};
    const built = configuration && circumstance?.build(configuration);
    if (!built || !artifact) return undefined;
    for (const [path, entry] of built.files)
      if (entry.kind === 'file' && (built.files.size === 1 || entry !== artifact.files.get(path)))
        return decode(entry.bytes.subarray(0, largestBase)).text;
    return undefined;
  }

  over(circumstance: Circumstance<Artifact>, artifact: Artifact): void {
    this.#newest = { artifact, circumstance };
    const isSame = this.#base?.artifact === artifact;
    const number = isSame ? this.#base!.number : this.#add(artifact);
    this.#base = number === undefined ? undefined : { artifact, circumstance, number };
  }

  asked(step: number, configuration: Configuration): void {
    if (this.#newest) this.#newest = { ...this.#newest, configuration };
    if (!this.#base) return;
    const { artifact, circumstance, number } = this.#base;
    const traces = circumstance.trace?.(configuration);
    const changes = traces && changesOf(artifact, circumstance, configuration, traces);
    if (!changes) return;
    const size = JSON.stringify(changes).length + 16;
    this.#rows.set(step, { candidate: [number, changes], size });
    this.#size += size;
    for (const [oldest, row] of this.#rows) {
      if (this.#size <= mostEdits) break;
      this.#rows.delete(oldest);
      this.#size -= row.size;
    }
  }

  /** The newest candidates, as many as a page can include. */
  get all(): Candidates {
    const texts: string[] = [];
    const numbers = new Map<string, number>();
    const bases: Record<number, Record<string, number>> = {};
    const rows: Record<number, Candidate> = {};
    let room = mostTexts;
    for (const [step, { candidate }] of [...this.#rows].reverse()) {
      const [number] = candidate;
      if (!bases[number]) {
        const base = this.#bases[number]!;
        if (base.size > room) break;
        room -= base.size;
        bases[number] = Object.fromEntries(
          [...base.texts].map(([path, text]) => {
            if (!numbers.has(text)) numbers.set(text, texts.push(text) - 1);
            return [path, numbers.get(text)!];
          }),
        );
      }
      rows[step] = candidate;
    }
    return { texts, bases, rows };
  }

  #add({ files }: Artifact): number | undefined {
    const texts = new Map<string, string>();
    let size = 0;
    for (const [path, entry] of files) {
      if (entry.kind !== 'file') continue;
      size += entry.bytes.length;
      if (size > largestBase) return undefined;
      texts.set(path, decode(entry.bytes).text);
    }
    return this.#bases.push({ texts, size }) - 1;
  }
}

/** `undefined` if a change is unknown, or if nothing could be built. */
function changesOf(
  base: Artifact,
  circumstance: Circumstance<Artifact>,
  configuration: Configuration,
  traces: FileTraces,
): Candidate[1] | undefined {
  const changes: Record<string, readonly (number | string)[] | null> = {};
  for (const [path, trace] of traces) {
    if (trace === 'unknown') return undefined;
    changes[path] = trace.flatMap((part): (number | string)[] =>
      'text' in part ? [part.text] : [part.start, part.end],
    );
  }
  const built = base.files.size > 1 ? circumstance.build(configuration) : base;
  if (!built) return undefined;
  for (const path of base.files.keys()) if (!built.files.has(path)) changes[path] = null;
  return changes;
}
