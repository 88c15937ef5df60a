/** Versions and ranges as npm reads them (semver.org 2.0.0, and the ranges of `package.json`). */
import { addAll } from '../../core/lists.js';

type Version = readonly [major: number, minor: number, patch: number, pre: readonly (string | number)[]];

interface Bound {
  readonly operator: '<' | '<=' | '>' | '>=' | '=';
  readonly version: Version;
}

const exact = /^[v=\s]*(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;
const partial = /^[v=]*(\d+|[xX*])?(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

/** Whether a version is in a range; `undefined` if the range is something else (an address, a tag, an alias). */
export function satisfies(version: string, range: string): boolean | undefined {
  const at = parsed(version);
  if (!at) return undefined;
  const alternatives = range.split('||').map(boundsOf);
  if (alternatives.some(bounds => bounds === undefined)) return undefined;
  return alternatives.some(bounds => within(at, bounds!));
}

/** Negative if `a` comes before `b`, positive if after; 0 also if one of them is no version. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [parsed(a), parsed(b)];
  return one && other ? compared(one, other) : 0;
}

export const isPrerelease = (version: string): boolean => (parsed(version)?.[3].length ?? 0) > 0;

function parsed(text: string): Version | undefined {
  const match = exact.exec(text.trim());
  return match ? [Number(match[1]), Number(match[2]), Number(match[3]), preOf(match[4])] : undefined;
}

const preOf = (text: string | undefined): readonly (string | number)[] =>
  (text?.split('.') ?? []).map(word => (/^\d+$/.test(word) ? Number(word) : word));

/** Every bound must hold; and a pre-release only counts if a bound names one of exactly the same version. */
function within(at: Version, bounds: readonly Bound[]): boolean {
  if (!bounds.every(bound => holds(compared(at, bound.version), bound.operator))) return false;
  if (at[3].length === 0) return true;
  return bounds.some(({ version }) => version[3].length > 0 && [0, 1, 2].every(i => version[i] === at[i]));
}

function holds(order: number, operator: Bound['operator']): boolean {
  if (operator === '=') return order === 0;
  if (order === 0) return operator.length === 2;
  return order < 0 === (operator[0] === '<');
}

function compared(a: Version, b: Version): number {
  for (const i of [0, 1, 2] as const) if (a[i] !== b[i]) return a[i] - b[i];
  if (a[3].length === 0 || b[3].length === 0) return b[3].length - a[3].length;
  for (let i = 0; i < Math.max(a[3].length, b[3].length); i++) {
    const [x, y] = [a[3][i], b[3][i]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    if (typeof x !== typeof y) return typeof x === 'number' ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

function boundsOf(range: string): readonly Bound[] | undefined {
  const hyphen = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(range);
  const words = hyphen
    ? [`>=${hyphen[1]}`, `<=${hyphen[2]}`]
    : range
        .replace(/([<>=~^])\s+/g, '$1')
        .trim()
        .split(/\s+/);
  const bounds: Bound[] = [];
  for (const word of words) {
    const found = wordBounds(word);
    if (!found) return undefined;
    addAll(bounds, found);
  }
  return bounds;
}

function wordBounds(word: string): readonly Bound[] | undefined {
  const [, operator = '', rest = ''] = /^(\^|~>?|[<>]=?|=)?(.*)$/.exec(word)!;
  const match = partial.exec(rest);
  if (!match) return undefined;
  const given = [match[1], match[2], match[3]].map(part =>
    part === undefined || /[xX*]/.test(part) ? undefined : Number(part),
  );
  const [major, minor, patch] = given;
  const low: Version = [major ?? 0, minor ?? 0, patch ?? 0, preOf(match[4])];
  const from: Bound = { operator: '>=', version: low };
  // Pre-releases of the upper bound are outside: `<2.0.0-0` is below all of them.
  const below = (a: number, b: number, c: number): Bound => ({ operator: '<', version: [a, b, c, [0]] });
  const next = (): Bound => (minor === undefined ? below((major ?? 0) + 1, 0, 0) : below(major ?? 0, minor + 1, 0));
  if (major === undefined)
    return operator === '<' || operator === '>' ? [below(0, 0, 0)] : [{ operator: '>=', version: [0, 0, 0, []] }];
  switch (operator) {
    case '^':
      if (major > 0 || minor === undefined) return [from, below(major + 1, 0, 0)];
      return [from, minor > 0 || patch === undefined ? below(0, minor + 1, 0) : below(0, 0, patch + 1)];
    case '~':
    case '~>':
      return [from, next()];
    case '>=':
      return [from];
    case '<':
      return [patch === undefined ? { operator, version: [low[0], low[1], low[2], [0]] } : { operator, version: low }];
    case '>':
      return patch === undefined ? [{ operator: '>=', version: next().version }] : [{ operator, version: low }];
    case '<=':
      return patch === undefined ? [next()] : [{ operator, version: low }];
    default:
      return patch === undefined ? [from, next()] : [{ operator: '=', version: low }];
  }
}
