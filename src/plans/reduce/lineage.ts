/** Follows a search, so that each part of its result can be located in the original. */
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import type { Circumstance, Configuration } from '../../core/index.js';
import { compose, type Origin } from '../../core/trace.js';
import type { Lineage } from '../simplify.js';
import { CandidateStore } from './candidates.js';

/** For each file, how it was made from the original of the same name. */
export type Origins = ReadonlyMap<string, Origin>;

interface CurrentPass {
  readonly circumstance: Circumstance<Artifact>;
  readonly base: Artifact;
  readonly origins: Origins;
}

/**
 * The chain of accepted edits from the original to the newest artifact. It is not a comparison of the two: of two equal lines,
 * only the edits know which one was removed. An artifact of an earlier pass is forgotten, because its circumstance would have
 * to be kept for it; its origins are then unknown.
 */
export class FileLineage implements Lineage<Artifact> {
  readonly candidates = new CandidateStore();
  readonly #original: Artifact;
  readonly #known = new WeakMap<Artifact, Origins>();
  #pass: CurrentPass | undefined;
  #made = new Map<Artifact, Configuration>();
  #newest: readonly Artifact[] = [];

  constructor(original: Artifact) {
    this.#original = original;
    this.#known.set(original, new Map([...original.files.keys()].map(path => [path, 'same'])));
  }

  over(circumstance: Circumstance<Artifact>, base: Artifact): void {
    // The smallest result may differ from the one the search continues with.
    for (const artifact of this.#newest) this.originsOf(artifact);
    const origins = this.originsOf(base);
    this.#made = new Map();
    this.#pass = { circumstance, base, origins };
    this.candidates.over(circumstance, base);
  }

  asked(step: number, configuration: Configuration): void {
    this.candidates.asked(step, configuration);
  }

  made(artifact: Artifact, configuration: Configuration): void {
    this.#made.set(artifact, configuration);
    this.#newest = [...this.#newest.slice(-1), artifact];
  }

  originsOf(artifact: Artifact): Origins {
    const known = this.#known.get(artifact);
    if (known) return known;
    const configuration = this.#made.get(artifact);
    if (!this.#pass || !configuration) return new Map();
    const found = this.#after(this.#pass, artifact, configuration);
    this.#known.set(artifact, found);
    return found;
  }

  #after({ circumstance, base, origins }: CurrentPass, artifact: Artifact, configuration: Configuration): Origins {
    const traces = circumstance.trace?.(configuration);
    const found = new Map<string, Origin>();
    for (const [path, entry] of artifact.files) {
      const older = base.files.get(path);
      const before = origins.get(path) ?? 'unknown';
      if (entry === older) found.set(path, before);
      else if (older && this.#hasSameUnits(path, older))
        found.set(path, compose(before, traces?.get(path) ?? 'unknown'));
      else found.set(path, 'unknown');
    }
    return found;
  }

  /** What is not UTF-8 is counted in bytes; without the bytes that made it so, it may be UTF-8 and counted in characters. */
  #hasSameUnits(path: string, older: Entry): boolean {
    const first = this.#original.files.get(path);
    if (first?.kind !== 'file' || older.kind !== 'file') return false;
    const { encoding } = decode(first.bytes);
    return encoding === 'utf8' || decode(older.bytes).encoding === encoding || older.bytes.every(byte => byte < 0x80);
  }
}
