/** The identity and size of a recording. */
import { createHmac } from 'node:crypto';
import { fieldsOf } from '../../circumstances/traffic/fields.js';
import type { Exchange, Har } from '../../sources/har/har.js';
import { shownExchange } from '../../sources/har/show.js';
import { shownValues } from '../../sources/har/values.js';

/** Exchanges that many candidates share are written out and hashed once. */
const texts = new WeakMap<Exchange, { readonly bytes: number; digest?: string }>();

function known(exchange: Exchange, salt?: string) {
  const found = texts.get(exchange);
  if (found && (salt === undefined || found.digest !== undefined)) return found;
  const text = JSON.stringify(exchange);
  const digest = salt === undefined ? {} : { digest: createHmac('sha256', salt).update(text).digest('base64url') };
  const fresh = { bytes: Buffer.byteLength(text), ...digest };
  texts.set(exchange, fresh);
  return fresh;
}

export const identifyExchanges =
  (salt: string) =>
  (har: Har): string =>
    createHmac('sha256', salt)
      .update(har.log.entries.map(exchange => known(exchange, salt).digest).join())
      .digest('base64url')
      .slice(0, 32);
export const bytesOf = (har: Har): number => har.log.entries.reduce((sum, exchange) => sum + known(exchange).bytes, 0);
export const sizeOf = (har: Har, side: 'request' | 'response') => ({
  bytes: bytesOf(har),
  deltas: har.log.entries.length,
  fields: fieldsOf(har, side).count,
});

/** Which exchanges are left, and what of them. An exchange is identified by its position, so the order is kept. */
export function markLeft(whole: Har, left: Har, side: 'request' | 'response') {
  const fields = left.log.entries.map(exchange => shownValues(exchange, side));
  const remaining: number[] = [];
  const rows = whole.log.entries.map((exchange, i) => {
    const at = remaining.length;
    const isLeft = at < fields.length && sameExchange(exchange, left.log.entries[at]!);
    if (isLeft) remaining.push(i);
    return [shownExchange(exchange), isLeft ? fields[at]!.join('; ') : ''];
  });
  return { rows, remaining };
}

const sameExchange = (a: Exchange, b: Exchange): boolean =>
  a.request.method === b.request.method &&
  a.request.url.split('?')[0] === b.request.url.split('?')[0] &&
  a.startedDateTime === b.startedDateTime;
