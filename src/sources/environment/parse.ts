/** Reads a captured environment in any common format. */
import { UserError } from '../../core/index.js';
import type { Environment } from './secrets.js';

const name = '[A-Za-z_][A-Za-z0-9_.()%-]*';
const assignment = new RegExp(`^(${name})=([^]*)$`);

/**
 * A captured environment in any common form: `env -0`, `/proc/<pid>/environ`, JSON, `export -p` and
 * `declare -x` of a shell, a `.env` file, or plain `env`/`printenv` output.
 */
export function parseEnvironment(text: string, path: string): Environment {
  const entries = entriesOf(text, path);
  if (entries.length === 0)
    throw new UserError(
      `No variable was found in ${path}.`,
      `Capture an environment with \`env -0 > ${path}\`, or write one NAME=value per line.`,
    );
  return Object.fromEntries(entries);
}

type Entries = readonly (readonly [string, string])[];

function entriesOf(text: string, path: string): Entries {
  if (text.includes('\0')) return text.split('\0').flatMap(split);
  if (/^\s*[{[]/.test(text)) return fromJson(text, path);
  if (/^(export|declare -\w*x\w*|typeset -x|setenv) /m.test(text)) return fromShell(text, true);
  return isCaptured(text) ? fromLines(text) : fromShell(text, false);
}

const split = (entry: string): Entries => {
  const match = assignment.exec(entry);
  return match ? [[match[1]!, match[2]!]] : [];
};

/** `env` prints values raw; a `.env` file quotes them. Only a running process has these variables, and its environment has no comments. */
const isCaptured = (text: string): boolean =>
  !/^\s*#/m.test(text) && (/^_=/m.test(text) || (/^PATH=/m.test(text) && /^(PWD|HOME|SHLVL)=/m.test(text)));

function fromJson(text: string, path: string): Entries {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(
      `The environment ${path} starts like JSON, but is not: ${(error as Error).message}.`,
      `Write {"NAME": "value"}.`,
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

/** A line without NAME= continues the value before it: `env` prints line feeds as they are. */
function fromLines(text: string): Entries {
  const entries: [string, string][] = [];
  for (const line of text.replace(/\r?\n$/, '').split('\n')) {
    const match = assignment.exec(line);
    const last = entries.at(-1);
    if (match) entries.push([match[1]!, match[2]!]);
    else if (last) last[1] += `\n${line}`;
  }
  return entries;
}

/** POSIX quoting, as in the output of shells and in `.env` files. With `shellOnly`, a line without `export` is skipped. */
function fromShell(text: string, shellOnly: boolean): Entries {
  const entries: [string, string][] = [];
  const start = new RegExp(
    `^[ \\t]*((?:export|declare -\\w+|typeset -x|setenv)[ \\t]+)?(${name})[ \\t]*=[ \\t]*`,
    'gm',
  );
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const { value, end } = unquoted(text, start.lastIndex);
    start.lastIndex = end;
    if (match[1] || !shellOnly) entries.push([match[2]!, value]);
  }
  return entries;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  E: '\x1b',
  e: '\x1b',
  a: '\x07',
  b: '\b',
};

/** Reads one value from `from` to the end of its last line. */
function unquoted(text: string, from: number): { value: string; end: number } {
  let value = '';
  let i = from;
  while (i < text.length && text[i] !== '\n') {
    const rest = text.slice(i, i + 2);
    if (rest === "$'") {
      for (i += 2; i < text.length && text[i] !== "'"; i++)
        value += text[i] === '\\' ? (escapes[text[++i]!] ?? text[i]) : text[i];
      i++;
    } else if (text[i] === "'") {
      const end = text.indexOf("'", i + 1);
      value += text.slice(i + 1, end < 0 ? text.length : end);
      i = end < 0 ? text.length : end + 1;
    } else if (text[i] === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) {
        if (text[i] !== '\\') value += text[i];
        else if (text[++i] === 'n') value += '\n';
        else if (/["\\$`]/.test(text[i] ?? '')) value += text[i];
        else if (text[i] !== '\n') value += `\\${text[i] ?? ''}`;
      }
      i++;
    } else if (text[i] === '\\') {
      value += text[i + 1] ?? '';
      i += 2;
    } else if (/[ \t]/.test(text[i]!) && /^[ \t]+(#|\r?$)/m.test(text.slice(i, endOfLine(text, i)))) {
      i = endOfLine(text, i);
    } else if (text[i] === '\r' && text[i + 1] === '\n') i++;
    else value += text[i++];
  }
  return { value, end: i };
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};
