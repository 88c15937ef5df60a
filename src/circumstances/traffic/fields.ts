/** Parts of HTTP exchanges as deltas: headers, cookies, query parameters, fields of bodies. */
import { type Circumstance, has } from '../../core/index.js';
import { listStructure, type Structure, structureOf } from '../../sources/har/body.js';
import { type Body, type Exchange, type Har, type Pair, withExchanges } from '../../sources/har/har.js';
import { maskedHeader, maskedText } from '../../sources/har/show.js';

/** One thing inside an exchange that has parts, and how to rebuild it from the parts that are kept. */
interface Place {
  readonly structure: Structure;
  /** The delta of part 0, set when all places are known. */
  readonly from: number;
}

interface Delta {
  readonly label: string;
  readonly parent: number;
  readonly weight: number;
}

/**
 * Inside the remaining exchanges: headers, cookies, query parameters and the body, by structure. A header or a body is the
 * parent of what is in it. `side`: the requests that are sent, or the responses that are served.
 */
export function fieldsOf(har: Har, side: 'request' | 'response'): Circumstance<Har> {
  const deltas: Delta[] = [];
  const add = (label: string, weight: number, parent = -1): number => deltas.push({ label, weight, parent }) - 1;
  const addAll = (prefix: string, structure: Structure, parent = -1): Place => {
    const from = deltas.length;
    for (const part of structure.parts)
      add(`${prefix} ${maskedText(part.label)}`, part.weight, part.parent < 0 ? parent : from + part.parent);
    return { structure, from };
  };
  const builders = har.log.entries.map((entry, i) => builderOf(entry, `#${i + 1}`, side, { add, addAll }));
  return {
    name: 'field',
    count: deltas.length,
    weights: deltas.map(delta => delta.weight),
    parents: deltas.map(delta => delta.parent),
    build: configuration =>
      withExchanges(
        har,
        builders.map(build => build(delta => has(configuration, delta))),
      ),
    describe: delta => deltas[delta]!.label,
  };
}

type Kept = (delta: number) => boolean;
type Add = (label: string, weight: number, parent?: number) => number;
type AddAll = (prefix: string, structure: Structure, parent?: number) => Place;

/** How a builder announces the deltas that it can leave out. */
interface Adding {
  readonly add: Add;
  readonly addAll: AddAll;
}

function builderOf(
  entry: Exchange,
  shown: string,
  side: 'request' | 'response',
  { add, addAll }: Adding,
): (kept: Kept) => Exchange {
  if (side === 'response') {
    if (!entry.response) return () => entry;
    const headers = headersOf(entry.response.headers, shown, add, addAll);
    const content = entry.response.content && bodyOf(entry.response.content, shown, add, addAll);
    return kept => {
      const response = { ...entry.response!, headers: headers(kept), ...(content && { content: content(kept) }) };
      return { ...entry, response };
    };
  }
  const { request } = entry;
  const [, head = '', query, tail = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(request.url) ?? [];
  const parameters =
    query === undefined
      ? undefined
      : addAll(
          `${shown} parameter`,
          listStructure(query.split('&'), '&', piece => maskedText(piece)),
        );
  const headers = headersOf(request.headers, shown, add, addAll);
  const body = request.postData && bodyOf(request.postData, shown, add, addAll);
  return kept => {
    const result: Record<string, unknown> = { ...request, headers: headers(kept) };
    if (parameters) {
      const left = rendered(parameters, kept);
      result.url =
        head + (parameters.structure.parts.some((_, part) => kept(parameters.from + part)) ? `?${left}` : '') + tail;
      const list = request.queryString;
      // The URL counts. The recorded list of its parameters follows it if both have the same parts.
      if (list?.length === parameters.structure.parts.length)
        result.queryString = list.filter((_, part) => kept(parameters.from + part));
      else if (result.url !== request.url) delete result.queryString;
    }
    if (request.cookies && result.headers !== request.headers)
      result.cookies = cookiesLeft(request.cookies, result.headers as readonly Pair[]);
    if (body) {
      const postData = body(kept);
      if (postData) result.postData = postData;
      else delete result.postData;
    }
    return { ...entry, request: result as Exchange['request'] };
  };
}

function headersOf(list: readonly Pair[], shown: string, add: Add, addAll: AddAll): (kept: Kept) => readonly Pair[] {
  const places = list.map(pair => {
    const delta = add(
      `${shown} ${pair.name}: ${maskedHeader(pair.name, pair.value)}`,
      pair.name.length + pair.value.length + 4,
    );
    const cookies = /^cookie$/i.test(pair.name)
      ? addAll(
          `${shown} cookie`,
          listStructure(pair.value.split('; '), '; ', piece => piece.split('=')[0]!),
          delta,
        )
      : undefined;
    return { pair, delta, cookies };
  });
  return kept => {
    if (places.every(({ delta, cookies }) => kept(delta) && (cookies === undefined || isWhole(cookies, kept))))
      return list;
    return places
      .filter(({ delta, cookies }) => kept(delta) && !(cookies && isGone(cookies, kept)))
      .map(({ pair, cookies }) =>
        cookies && !isWhole(cookies, kept) ? { ...pair, value: rendered(cookies, kept) } : pair,
      );
  };
}

function bodyOf(body: Body, shown: string, add: Add, addAll: AddAll): (kept: Kept) => Body | undefined {
  if (body.text === undefined || body.text === '') return () => body;
  const isText = body.encoding !== 'base64' || /json|text|xml|form|javascript/i.test(body.mimeType ?? '');
  const text = body.encoding === 'base64' ? Buffer.from(body.text, 'base64').toString() : body.text;
  const whole = add(`${shown} body`, text.length);
  const place = isText ? addAll(`${shown} body`, structureOf(text, body.mimeType ?? ''), whole) : undefined;
  return kept => {
    if (!kept(whole)) return undefined;
    if (!place || isWhole(place, kept)) return body;
    const { encoding: _, params, ...rest } = body;
    const left =
      params?.length === place.structure.parts.length ? params.filter((_, part) => kept(place.from + part)) : undefined;
    return { ...rest, text: rendered(place, kept), ...(left && { params: left }) };
  };
}

const rendered = (place: Place, kept: Kept): string => place.structure.render(part => kept(place.from + part));
const isWhole = (place: Place, kept: Kept): boolean =>
  place.structure.parts.every((_, part) => kept(place.from + part));
const isGone = (place: Place, kept: Kept): boolean => !place.structure.parts.some((_, part) => kept(place.from + part));

/** The recording's own list of cookies, without those that are no longer in a header. */
function cookiesLeft(cookies: readonly Partial<Pair>[], headers: readonly Pair[]): readonly Partial<Pair>[] {
  const names = headers
    .filter(({ name }) => /^cookie$/i.test(name))
    .flatMap(({ value }) => value.split('; ').map(piece => piece.split('=')[0]));
  return cookies.filter(({ name }) => names.includes(name));
}
