/** Texts as parts that can be left out and put in: a JSON object as its members, a table as its rows and cells. */

/** `head`, the parts with `between` between them, `tail`: together, the text. */
export interface Segments {
  /** One of the parts, in words. */
  readonly unit: 'member' | 'element' | 'row' | 'cell';
  readonly head: string;
  readonly between: string;
  readonly tail: string;
  readonly parts: readonly Segment[];
}

export interface Segment {
  /** The name of a member. Without one, a part is known by its text. */
  readonly key?: string;
  readonly text: string;
  /** What the part is made of, between `before` and its end. */
  readonly inner?: { readonly before: string; readonly value: Segments };
}

/** How a text falls into parts, by the name of its file; undefined if it is not of a known kind, or broken. */
export function segmentsOf(path: string, text: string): Segments | undefined {
  if (/\.jsonc?$|\.json5$|\.webmanifest$|\.geojson$/i.test(path)) return jsonSegments(text);
  if (/\.csv$/i.test(path)) return rows(text, separatorIn(text));
  return /\.tsv$/i.test(path) ? rows(text, '\t') : undefined;
}

export const textOfSegments = ({ head, between, tail, parts }: Segments): string =>
  `${head}${parts.map(({ text }) => text).join(between)}${tail}`;

/** The deepest nesting that is read: deeper texts are left to lines. */
const deepest = 200;

/** JSON, with the comments and trailing commas that settings files have. */
function jsonSegments(text: string): Segments | undefined {
  const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  const scalar = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[-+\w.]+/y;
  const skip = (pattern: RegExp, at: number): number => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : -1;
  };
  interface Read {
    readonly end: number;
    readonly value?: Segments;
  }
  const read = (at: number, depth: number): Read | undefined => {
    const open = text[at];
    if (open !== '{' && open !== '[') {
      const end = skip(scalar, at);
      return end < 0 ? undefined : { end };
    }
    const close = open === '{' ? '}' : ']';
    const parts: Segment[] = [];
    let from = at + 1;
    for (;;) {
      let here = skip(blank, from);
      if (text[here] === close) break;
      const key = open === '{' ? skip(scalar, here) : here;
      if (key < 0 || depth > deepest) return undefined;
      const name = open === '{' ? { key: text.slice(here, key) } : {};
      if (open === '{') {
        const colon = skip(blank, key);
        if (text[colon] !== ':') return undefined;
        here = skip(blank, colon + 1);
      }
      const inside = read(here, depth + 1);
      if (!inside) return undefined;
      const inner = inside.value ? { inner: { before: text.slice(from, here), value: inside.value } } : {};
      parts.push({ ...name, text: text.slice(from, inside.end), ...inner });
      from = inside.end;
      const after = skip(blank, from);
      if (text[after] !== ',') break;
      // A comma after the last member belongs to what closes it.
      if (text[skip(blank, after + 1)] === close) break;
      // Blanks before a comma are rare, and would not fit between other members.
      if (after !== from) return undefined;
      from = after + 1;
    }
    let end = skip(blank, from);
    if (text[end] === ',') end = skip(blank, end + 1);
    if (text[end] !== close) return undefined;
    const unit = open === '{' ? 'member' : 'element';
    return { end: end + 1, value: { unit, head: open, between: ',', tail: text.slice(from, end + 1), parts } };
  };
  const start = skip(blank, 0);
  const whole = read(start, 0);
  if (!whole?.value || skip(blank, whole.end) !== text.length) return undefined;
  const { value } = whole;
  return { ...value, head: text.slice(0, start) + value.head, tail: value.tail + text.slice(whole.end) };
}

/** What separates the cells of the first row: where a comma is a decimal point, it is a semicolon. */
function separatorIn(text: string): string {
  const first = splitOutsideQuotes(text, '\n')?.[0] ?? '';
  const counts = [',', ';', '\t', '|'].map(each => [each, splitOutsideQuotes(first, each)?.length ?? 1] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

function rows(text: string, separator: string): Segments | undefined {
  const end = /\r\n|\n/.exec(text)?.[0] ?? '\n';
  const lines = splitOutsideQuotes(text, end);
  if (!lines) return undefined;
  const tail = lines.length > 1 && lines.at(-1) === '' ? end : '';
  if (tail !== '') lines.pop();
  const parts = lines.map((line): Segment => {
    const cells = splitOutsideQuotes(line, separator) ?? [line];
    const value: Segments = {
      unit: 'cell',
      head: '',
      between: separator,
      tail: '',
      parts: cells.map((cell, i) => ({ key: `${i} of ${cells.length}`, text: cell })),
    };
    return { text: line, inner: { before: '', value } };
  });
  return { unit: 'row', head: '', between: end, tail, parts };
}

/** Undefined if a quote is not closed. */
function splitOutsideQuotes(text: string, separator: string): string[] | undefined {
  const parts: string[] = [];
  let [from, quoted] = [0, false];
  for (let at = 0; at < text.length; at++)
    if (text[at] === '"') quoted = !quoted;
    else if (!quoted && text.startsWith(separator, at)) {
      parts.push(text.slice(from, at));
      at += separator.length - 1;
      from = at + 1;
    }
  return quoted ? undefined : [...parts, text.slice(from)];
}
