/** The bytes in which two versions of data differ, if both are as long: whatever is found by its position stays there. */
import type { Circumstance } from '../../core/index.js';
import { has } from '../../core/index.js';

/** Undefined if one is longer: then it is not known which bytes belong together. */
export function bytesDiffering(passing: Uint8Array, failing: Uint8Array): Circumstance<Uint8Array> | undefined {
  if (passing.length !== failing.length) return undefined;
  const places: number[] = [];
  for (let at = 0; at < failing.length; at++) if (passing[at] !== failing[at]) places.push(at);
  return {
    name: 'byte',
    count: places.length,
    build(configuration) {
      const bytes = Uint8Array.from(failing);
      for (const [delta, at] of places.entries()) if (!has(configuration, delta)) bytes[at] = passing[at]!;
      return bytes;
    },
    describe: delta => `byte ${places[delta]}`,
  };
}
