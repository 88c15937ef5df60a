/** Reads values that came from outside: each reader accepts a value or says where it is wrong and what was expected. */

/** Thrown by readers: the position in the value, what was expected, and what was found. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
  constructor(
    /** `log.entries[3].request.url`; empty for the value itself. */
    readonly path: string,
    readonly expected: string,
    readonly found: unknown,
  ) {
    super(`${path === '' ? 'it' : path} is ${describe(found)}, expected ${expected}`);
  }
}

/** Accepts a value and gives it its type, or throws a `Mismatch`. It copies nothing: fields that are not named are kept. */
export type Reader<T> = (value: unknown, path?: string) => T;

const only =
  <T>(expected: string, accepts: (value: unknown) => boolean): Reader<T> =>
  (value, path = '') => {
    if (!accepts(value)) throw new Mismatch(path, expected, value);
    return value as T;
  };

export const string: Reader<string> = only('a text', value => typeof value === 'string');
export const number: Reader<number> = only('a number', value => Number.isFinite(value));
export const boolean: Reader<boolean> = only('true or false', value => typeof value === 'boolean');
export const anything: Reader<unknown> = value => value;

/** One of these texts or numbers. */
export const oneOf = <const T extends string | number>(...values: readonly T[]): Reader<T> =>
  only(values.map(value => JSON.stringify(value)).join(' or '), value => values.includes(value as T));

/** A value that also satisfies an extra condition. */
export const such =
  <T>(reader: Reader<T>, accepts: (value: T) => boolean, expected: string): Reader<T> =>
  (value, path = '') => {
    const read = reader(value, path);
    if (!accepts(read)) throw new Mismatch(path, expected, value);
    return read;
  };

export const optional =
  <T>(reader: Reader<T>): Reader<T | undefined> =>
  (value, path) =>
    value === undefined ? undefined : reader(value, path);

export const array =
  <T>(element: Reader<T>): Reader<readonly T[]> =>
  (value, path = '') => {
    if (!Array.isArray(value)) throw new Mismatch(path, 'a list', value);
    for (let i = 0; i < value.length; i++) element(value[i], `${path}[${i}]`);
    return value;
  };

/** An object whose values are all of one kind. */
export const record =
  <T>(element: Reader<T>): Reader<Readonly<Record<string, T>>> =>
  (value, path = '') => {
    const object = plain(value, path);
    for (const key of Object.keys(object)) element(object[key], inside(path, key));
    return object as Record<string, T>;
  };

/**
 * An object with these fields. What else it holds is kept as it is.
 *
 * @example
 * ```ts
 * const person = object({ name: string, age: optional(number) });
 * person({ name: 'Ada', hat: 'blue' }).name; // → 'Ada'
 * person({ name: 'Ada', age: 'old' }); // throws: age is "old", expected a number
 * ```
 */
export const object =
  <Fields extends Readonly<Record<string, Reader<unknown>>>>(
    fields: Fields,
  ): Reader<{ readonly [Name in keyof Fields]: ReturnType<Fields[Name]> }> =>
  (value, path = '') => {
    const read = plain(value, path);
    for (const key of Object.keys(fields)) {
      // A field that only the prototype has, such as `constructor`, is not there.
      fields[key]!(Object.hasOwn(read, key) ? read[key] : undefined, inside(path, key));
    }
    return read as never;
  };

function plain(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Mismatch(path, 'an object', value);
  return value as Record<string, unknown>;
}

const inside = (path: string, key: string): string =>
  !/^[A-Za-z_]\w*$/.test(key) ? `${path}[${JSON.stringify(key)}]` : path === '' ? key : `${path}.${key}`;

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
