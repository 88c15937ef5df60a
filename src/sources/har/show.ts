/** Shows HTTP exchanges with credentials masked. */
import { isSecret, masked } from '../environment/secrets.js';
import type { Body, Exchange, Har, Pair } from './har.js';
import { withExchanges } from './har.js';

/** Headers whose values grant access. */
const credentials =
  /^(authorization|proxy-authorization|cookie|set-cookie2?|x-csrf-token|x-xsrf-token|x-amz-security-token)$/i;

/** A header as it may be shown: of cookies and credentials, only the names and the scheme. */
export function maskedHeader(name: string, value: string): string {
  if (/^(set-)?cookie$/i.test(name))
    return value.replace(/(^|;\s*)([^=;]+)=([^;]*)/g, (whole, lead: string, key: string) =>
      /^(path|domain|expires|max-age|samesite)$/i.test(key) ? whole : `${lead}${key}=••••••`,
    );
  if (credentials.test(name)) return value.replace(/^(\w+ )?.*$/s, '$1••••••');
  return masked(name, value);
}

/** A URL with masked values of parameters that look like secrets. */
export const maskedUrl = (url: string): string =>
  url
    .replace(/^([a-z]+:\/\/)[^/@]*@/i, '$1••••••@')
    .replace(
      /([?&])([^=&#]+)=([^&#]*)/g,
      (_, lead: string, name: string, value: string) => `${lead}${name}=${masked(name, value)}`,
    );

export function shownExchange({ request, response }: Exchange): string {
  const { host, pathname, search } = new URL(request.url);
  return `${request.method} ${host}${maskedUrl(pathname + search)}${response ? ` → ${response.status}` : ''}`;
}

/** The whole recording as it may be shown in a report or a terminal. The result on disk keeps its credentials. */
export function maskedHar(har: Har): Har {
  const pairs = (list: readonly Pair[]) => list.map(pair => ({ ...pair, value: maskedHeader(pair.name, pair.value) }));
  return withExchanges(
    har,
    har.log.entries.map(entry => ({
      ...entry,
      request: {
        ...entry.request,
        url: maskedUrl(entry.request.url),
        headers: pairs(entry.request.headers),
        ...(entry.request.queryString && {
          queryString: entry.request.queryString.map(pair => ({ ...pair, value: masked(pair.name, pair.value) })),
        }),
        ...(entry.request.cookies && { cookies: entry.request.cookies.map(hidden) }),
        ...(entry.request.postData && { postData: maskedBody(entry.request.postData) }),
      },
      ...(entry.response && {
        response: {
          ...entry.response,
          headers: pairs(entry.response.headers),
          ...(entry.response.cookies && { cookies: entry.response.cookies.map(hidden) }),
          ...(entry.response.content && { content: maskedBody(entry.response.content) }),
        },
      }),
    })),
  );
}

const hidden = (pair: Partial<Pair>) => ({ ...pair, value: '••••••' });

/** In a body, values of JSON members and form fields with private names. */
export const maskedText = (text: string): string =>
  text
    .replace(/"((?:[^"\\]|\\.)+)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g, (whole, name: string, colon: string, value: string) =>
      isSecret(name, value) ? `"${name}"${colon}"••••••"` : whole,
    )
    .replace(/(^|&)([\w.[\]-]+)=([^&\s]*)/g, (whole, lead: string, name: string, value: string) =>
      isSecret(name, value) ? `${lead}${name}=••••••` : whole,
    );

const maskedBody = (body: Body): Body => ({
  ...body,
  ...(body.text !== undefined && { text: maskedText(body.text) }),
  ...(body.params && {
    params: body.params.map(pair => ({ ...pair, value: masked(pair.name ?? '', pair.value ?? '') })),
  }),
});

/**
 * Credentials, each with a name, to be removed from what a server prints. Short cookies are left alone: they look like
 * ordinary words.
 */
export function secretsOf(har: Har): Readonly<Record<string, string>> {
  const found = new Set<string>();
  const cookies = (value: string) => {
    for (const [, secret = ''] of value.matchAll(/[^=;]+=([^;]*)/g)) if (secret.length >= 12) found.add(secret);
  };
  const pairs = (list: readonly Partial<Pair>[] = []) => {
    for (const { name = '', value = '' } of list) {
      if (/^(set-)?cookie$/i.test(name)) cookies(value);
      else if (credentials.test(name)) found.add(value.replace(/^\w+ /, ''));
      else if (isSecret(name, value)) found.add(value);
    }
  };
  const text = (body?: Body) => {
    pairs(body?.params);
    for (const [, name = '', value = ''] of (body?.text ?? '').matchAll(
      /"((?:[^"\\]|\\.)+)"\s*:\s*"((?:[^"\\]|\\.)*)"/g,
    ))
      if (isSecret(name, value)) found.add(value);
    if (/urlencoded/i.test(body?.mimeType ?? '')) pairs(parametersOf(body?.text ?? ''));
  };
  for (const { request, response } of har.log.entries) {
    pairs(request.headers);
    pairs(parametersOf(new URL(request.url).search));
    text(request.postData);
    pairs(response?.headers);
    text(response?.content);
  }
  return Object.fromEntries([...found].map((value, i) => [`SECRET_${i}`, value]));
}

const parametersOf = (text: string): readonly Pair[] =>
  [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }));
