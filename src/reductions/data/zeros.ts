/** Replaces bytes of data by zeros. */
import { type Circumstance, type Configuration, all as every, minus } from '../../core/index.js';
import { type Fragment, textOf } from '../../core/trace.js';
import type { Span } from '../../syntax/edit.js';
import { edited } from '../spans.js';

/** What follows from changes, such as another checksum; undefined if that can't be written. */
type Complete = (changes: readonly Span[]) => readonly Span[] | undefined;

/**
 * Data whose parts are found by their position (an executable, an archive, a database) has no byte that can be removed: all that
 * come after it would be in another place. A zero keeps them where they are. What is left says which bytes matter.
 */
export function zeros(text: string, complete: Complete = changes => changes): Circumstance<string> | undefined {
  // Numbers only: an executable has millions of bytes, and an object for each would fill the memory.
  const places = new Uint32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; at += lengthAt(text, at)) if (text[at] !== '\0') places[count++] = at;
  if (count === 0) return undefined;
  const starts = places.subarray(0, count);
  const endOf = (delta: number): number => starts[delta]! + lengthAt(text, starts[delta]!);
  const changeOf = (start: number, end: number): Span => ({ start, end, text: zerosFor(text.slice(start, end)) });
  const trace = (configuration: Configuration): readonly Fragment[] | undefined => {
    const gone = minus(every(count), configuration);
    const changes: Span[] = [];
    // Between the letters of a range, there are zeros already.
    for (let i = 0; i < gone.length; i += 2) changes.push(changeOf(starts[gone[i]!]!, endOf(gone[i + 1]! - 1)));
    const all = complete(changes);
    return all && edited(text.length, all);
  };
  return {
    name: 'zero',
    count,
    weights: new Uint8Array(count).fill(1),
    build(configuration) {
      const fragments = trace(configuration);
      return fragments && textOf(fragments, text);
    },
    trace: configuration => trace(configuration) ?? [],
    describe: delta => `a zero at ${starts[delta]}`,
    edited: {
      texts: new Map([['', text]]),
      changes: delta => [{ file: '', ...changeOf(starts[delta]!, endOf(delta)) }],
    },
  };
}

/** Of a character. */
const lengthAt = (text: string, at: number): number => (text.codePointAt(at)! > 0xffff ? 2 : 1);

/** As many as it has bytes: data is mostly read byte by byte, but some of it is UTF-8. */
const zerosFor = (part: string): string =>
  '\0'.repeat(/^[\0-\xff]*$/.test(part) ? part.length : Buffer.byteLength(part));
