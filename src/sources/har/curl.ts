/** Writes the requests of a recording as a shell script of curl commands. */
import { quote } from '../../core/shell.js';
import type { Exchange, Har, Pair } from './har.js';

/** The script contains the credentials that the requests need, as the recording does. */
export function curlScript(har: Har, title: string): string {
  const given = new Set<string>();
  const commands = har.log.entries.map(exchange => {
    const command = curlCommand(exchange, given);
    for (const name of cookiesSetBy(exchange)) given.add(name);
    return command;
  });
  return [
    '#!/bin/sh',
    `# ${title.replaceAll('\n', ' ')}: the requests that matter. Usage: sh <this file> [address of the server]`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: for the shell.
    'base=${1:-http://127.0.0.1:3000}',
    'jar=$(mktemp)',
    'trap \'rm -f "$jar"\' EXIT',
    ...commands,
    '',
  ].join('\n');
}

/** `given`: cookies that the server sets itself. curl keeps those, with their current values. */
function curlCommand({ request }: Exchange, given: ReadonlySet<string>): string {
  const { method, url, postData } = request;
  const { pathname, search } = new URL(url);
  const isBinary = postData?.encoding === 'base64';
  const body =
    postData?.text ??
    (postData?.params
      ? new URLSearchParams(
          postData.params.map(({ name = '', value = '' }): [string, string] => [name, value]),
        ).toString()
      : undefined);
  const hasBody = body !== undefined && body !== '';
  const headers = request.headers.filter(({ name }) => !ofConnection.test(name)).flatMap(pair => without(pair, given));
  // Otherwise curl calls every body a form.
  const isTyped = headers.some(({ name }) => /^content-type$/i.test(name));
  const words = [
    'curl -sS -b "$jar" -c "$jar"',
    ...(method === 'GET' && !hasBody ? [] : [`-X ${quote(method)}`]),
    `"$base"${quote(pathname + search)}`,
    ...headers.map(({ name, value }) => `-H ${quote(`${name}: ${value}`)}`),
    ...(hasBody && !isTyped ? ["-H 'Content-Type:'"] : []),
    ...(hasBody ? [isBinary ? '--data-binary @-' : `--data-raw ${quote(body)}`] : []),
  ];
  const line = words.join(' ');
  return isBinary && hasBody ? `printf %s ${quote(body)} | base64 -d | ${line}` : line;
}

const ofConnection =
  /^(:.*|host|content-length|connection|keep-alive|transfer-encoding|proxy-connection|upgrade|te|trailer|expect)$/i;

/** A header without the cookies that curl sends by itself. */
function without(pair: Pair, given: ReadonlySet<string>): readonly Pair[] {
  if (!/^cookie$/i.test(pair.name)) return [pair];
  const value = pair.value
    .split('; ')
    .filter(piece => !given.has(piece.split('=')[0]!))
    .join('; ');
  return value === '' ? [] : [{ ...pair, value }];
}

const cookiesSetBy = ({ response }: Exchange): readonly string[] =>
  (response?.headers ?? [])
    .filter(({ name }) => /^set-cookie$/i.test(name))
    .flatMap(({ value }) => value.split('\n'))
    .flatMap(line => /^\s*([^=;]+)=/.exec(line)?.[1] ?? []);
