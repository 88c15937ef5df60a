/** Recognises what comes from the environment in texts of a run, also if a program has taken it apart or written it in another way. */

/** A shorter part may be in any text by chance. */
const telling = 8;

/**
 * Whether a text holds so long a part of a variable that the input does not have it: plainly, in capitals or small letters, as single letters or
 * character codes, in base64 or as hexadecimal digits.
 *
 * @example
 * ```ts
 * const tells = secretsIn([], ['open-sesame']);
 * ['open sea', '["o","p","e","n","s","e","s","a"]'].map(tells); // → [false, true]
 * ```
 */
export function secretsIn(input: readonly string[], own: readonly string[]): (text: string) => boolean {
  let known: string | undefined;
  const isKnown = (part: string): boolean => {
    known ??= input.map(bare).join('\n');
    return known.includes(part);
  };
  let parts: ReadonlySet<string> | undefined;
  return text => {
    parts ??= new Set(own.flatMap(value => formsOf(value).flatMap(partsOf)));
    return [bare(text), bare(decoded(text))].flatMap(partsOf).some(part => parts!.has(part) && !isKnown(part));
  };
}

/** Letters and digits alone: whatever stands between them, and however they are quoted. */
const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

/** The text that the character codes in it would be. */
const decoded = (text: string): string =>
  (text.match(/\d+/g) ?? [])
    .map(Number)
    .map(code => (code > 31 && code < 127 ? String.fromCharCode(code) : ''))
    .join('');

const formsOf = (value: string): readonly string[] => {
  const bytes = Buffer.from(value);
  return [value, bytes.toString('base64'), bytes.toString('hex')].map(bare);
};

const partsOf = (form: string): readonly string[] =>
  Array.from({ length: Math.max(0, form.length - telling + 1) }, (_, at) => form.slice(at, at + telling));
