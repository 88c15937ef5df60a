/** The values that the expressions of a compiled program note themselves, each with its number and the type that it has. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileName = 'noted';

/** Variables with which such a program writes each value down as soon as it is known, so that it is there even after a crash. */
export function notedEnvironment(folder: string): Readonly<Record<string, string>> {
  writeFileSync(join(folder, fileName), '');
  return { CULPRIT_SEEN: join(folder, fileName) };
}

/** What the processes noted, in pairs as other reports have them: a number, and a literal if there is one. */
export function readNoted(folder: string): readonly (readonly [number, string | null])[] {
  let text: string;
  try {
    text = readFileSync(join(folder, fileName), 'latin1');
  } catch {
    return [];
  }
  // A program that is killed while it writes leaves a line without its end.
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap(line => {
      const [, id, type, bits] = /^(\d+)([iulmxyfd?])([\da-f]{1,16})$/.exec(line) ?? [];
      return id === undefined ? [] : [[Number(id), literalOf(type!, BigInt(`0x${bits}`))] as const];
    });
}

/** A literal of the same type: in `1U < x`, the letter decides how it is compared. */
const suffixes: Readonly<Record<string, string>> = { i: '', u: 'U', l: 'L', m: 'UL', x: 'LL', y: 'ULL' };

function literalOf(type: string, bits: bigint): string | null {
  if (type === 'f' || type === 'd') return realOf(type, bits);
  const suffix = suffixes[type];
  if (suffix === undefined) return null;
  if (suffix.startsWith('U')) return `${bits}${suffix}`;
  const value = BigInt.asIntN(64, bits);
  // The sign is no part of a number, and without it, this one is too large for its type.
  const isLeast = value === -(2n ** 63n) || (type === 'i' && value === -(2n ** 31n));
  return isLeast ? `${value + 1n}${suffix}-1` : `${value}${suffix}`;
}

function realOf(type: 'f' | 'd', bits: bigint): string | null {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  const value = view.getFloat64(0);
  if (!Number.isFinite(value)) return null;
  const text = Object.is(value, -0) ? '-0' : type === 'f' ? shortestFloat(value) : String(value);
  return `${/[.e]/.test(text) ? text : `${text}.0`}${type === 'f' ? 'f' : ''}`;
}

/** The fewest digits that mean the same number of 32 bits. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}
