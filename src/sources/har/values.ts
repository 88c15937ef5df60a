/** What is in an exchange, value by value, as people read it: `price: "4"`. Credentials are masked. */
import { masked } from '../environment/secrets.js';
import type { Body, Exchange } from './har.js';
import { maskedHeader, maskedText } from './show.js';

const longest = 120;
/** How many values are listed; the rest are only counted. */
const most = 20;

/** The headers and the body of one side, each value with the path to it. The query is in the address already. */
export function shownValues({ request, response }: Exchange, side: 'request' | 'response'): readonly string[] {
  const headers = (side === 'request' ? request.headers : (response?.headers ?? [])).map(
    ({ name, value }) => `${name}: ${cut(maskedHeader(name, value))}`,
  );
  const values = [...headers, ...valuesOf(side === 'request' ? request.postData : response?.content)];
  return values.length > most ? [...values.slice(0, most), `… and ${values.length - most} more`] : values;
}

function valuesOf(body: Body | undefined): readonly string[] {
  const { text, params, mimeType = '', encoding } = body ?? {};
  if (encoding === 'base64') return [`${text?.length ?? 0} characters of base64`];
  if (params?.length && text === undefined)
    return params.map(({ name = '', value = '' }) => pair(name, masked(name, value)));
  if (!text) return [];
  if (/urlencoded/i.test(mimeType))
    return [...new URLSearchParams(text)].map(([name, value]) => pair(name, masked(name, value)));
  try {
    return leavesOf(JSON.parse(maskedText(text)), '');
  } catch {
    return [cut(maskedText(text))];
  }
}

function leavesOf(value: unknown, path: string): readonly string[] {
  const isEmpty = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isEmpty) return [path === '' ? cut(JSON.stringify(value)) : `${path}: ${cut(JSON.stringify(value))}`];
  return Object.entries(value as object).flatMap(([key, inner]) =>
    leavesOf(inner, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
  );
}

const pair = (name: string, value: string): string => `${name}: ${cut(JSON.stringify(value))}`;
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);
