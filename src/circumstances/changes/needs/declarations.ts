/** The declarations of a C or C++ file, read without a grammar: macros and conditionals make files that no grammar can parse. */
import { addAll } from '../../../core/lists.js';
import { onceFor } from '../../../core/once-for.js';
import { pauseIfDue } from '../../../core/pause.js';
import type { Lines } from '../lines.js';

export interface Declaration {
  readonly kind: 'function' | 'prototype' | 'variable' | 'type' | 'member' | 'macro' | 'include';
  readonly name: string;
  /** The first and the last line, from 0. */
  readonly from: number;
  readonly to: number;
  /** The last line of what other code relies on: of a function its header, of everything else all of it. */
  readonly headerTo: number;
  /** How other code calls it: types without the names of parameters, the number of a macro's parameters. */
  readonly shape: string;
  /** The same with `const` where it matters: the declarations of a function must agree on it. */
  readonly exact: string;
  /** No other file can see it. */
  readonly isStatic: boolean;
}

const word = /[A-Za-z_]\w*/g;
const qualifiers = /\b(?:register|extern|static|volatile|inline|restrict|auto)\b/g;
/** `GCC_NORETURN`, `PRINTFLIKE(1, 2)`: what a macro tells the compiler does not change how a function is called. */
const attribute = /\b[A-Z][A-Z\d]*_[A-Z\d_]+\b\s*(?:\([^()]*\))?/g;
const basic = new Set('void int char short long float double signed unsigned struct union enum bool'.split(' '));

/** The same lines without comments, and with empty strings. */
export function withoutComments(lines: Lines): readonly string[] {
  let inside = false;
  return lines.map(line => {
    if (!inside && !/["'/]/.test(line)) return line.replaceAll('\n', '');
    let text = '';
    for (const [token] of line.matchAll(/\/\*|\*\/|\/\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\n]/g)) {
      if (inside) inside = token !== '*/';
      else if (token === '/*') inside = true;
      else if (token === '//') break;
      else text += token.length > 1 && /^["']/.test(token) ? token[0]! + token[0]! : token;
    }
    return text;
  });
}

/** Where a declaration begins, what came before its body, and the body. */
interface Open {
  from: number;
  header: string;
  headerTo: number;
  readonly body: (readonly [line: number, text: string])[];
}

const read = new WeakMap<Lines, Promise<readonly Declaration[]>>();

/** All declarations outside of functions, in order. Files are read once, although changes are looked at by hunk and by line. */
export const declarationsIn = (lines: Lines): Promise<readonly Declaration[]> => onceFor(read, lines, readDeclarations);

async function readDeclarations(lines: Lines): Promise<readonly Declaration[]> {
  const texts = withoutComments(lines);
  const found: Declaration[] = [];
  const fresh = (): Open => ({ from: -1, header: '', headerTo: -1, body: [] });
  let open = fresh();
  let [braces, parens] = [0, 0];
  // Both branches of a conditional may open the same brace: each starts from the depth before it.
  const before: (readonly [number, number])[] = [];
  for (let i = 0; i < texts.length; i++) {
    if (i % 100 === 0) await pauseIfDue();
    const text = texts[i]!;
    if (/^\s*#/.test(text)) {
      const from = i;
      while (texts[i]!.trimEnd().endsWith('\\') && i + 1 < texts.length) i++;
      addAll(found, directive(text, lines[from]!, from, i));
      if (/^\s*#\s*if/.test(text)) before.push([braces, parens]);
      else if (/^\s*#\s*el/.test(text)) [braces, parens] = before.at(-1) ?? [braces, parens];
      else if (/^\s*#\s*endif/.test(text)) before.pop();
      continue;
    }
    if (braces > 0) open.body.push([i, '']);
    for (const sign of text) {
      if (braces > 0) {
        braces += sign === '{' ? 1 : sign === '}' ? -1 : 0;
        if (braces === 1 && sign !== '{' && sign !== '}') append(open.body, sign);
        if (braces > 0) continue;
        if (!isFunction(open.header)) {
          open.header += '{}';
          continue;
        }
        addAll(found, declared(open, i));
        open = fresh();
      } else if (sign === '{') {
        // What is inside `extern "C"` is at the top level too.
        if (/\bextern\s*""\s*$/.test(open.header)) open = fresh();
        else [braces, open.headerTo] = [1, i];
        open.body.push([i, '']);
      } else if (sign === ';' && parens <= 0 && !takesOldParameters(open.header)) {
        addAll(found, declared(open, i));
        open = fresh();
      } else if (sign !== '}') {
        parens += sign === '(' ? 1 : sign === ')' ? -1 : 0;
        if (open.from < 0 && sign.trim() !== '') open.from = i;
        open.header += sign;
      }
    }
    open.header += ' ';
    if (open.header.trim() === '') parens = 0;
  }
  return found;
}

function append(body: Open['body'], sign: string): void {
  const [line, text] = body.at(-1)!;
  body[body.length - 1] = [line, text + sign];
}

function directive(text: string, line: string, from: number, to: number): readonly Declaration[] {
  const common = { from, to, headerTo: to, exact: '', isStatic: false };
  const macro = /^\s*#\s*define\s+([A-Za-z_]\w*)(\([^)]*\))?/.exec(text);
  if (macro)
    return [{ ...common, kind: 'macro', name: macro[1]!, shape: macro[2] ? `${macro[2].split(',').length}` : '' }];
  const include = /^\s*#\s*include\s*["<]([^">]+)[">]/.exec(line);
  return include ? [{ ...common, kind: 'include', name: include[1]!, shape: '' }] : [];
}

const isFunction = (header: string): boolean =>
  header.includes('(') && !header.includes('=') && !/^\s*typedef\b/.test(header);

/** `int f(a, b) int a; char *b; {`: a semicolon after the parameters does not end it. */
function takesOldParameters(header: string): boolean {
  const after = header.slice(header.lastIndexOf(')') + 1).trim();
  return /^\s*[\w\s*]+\([\w\s,]*\)\s*[a-z][\w\s*,;[\]]*$/.test(header) && after !== '' && !/^__\w+/.test(after);
}

function declared({ from, header, headerTo, body }: Open, to: number): readonly Declaration[] {
  const isStatic = /\bstatic\b/.test(header);
  const whole = { from, to, headerTo: to, exact: '', isStatic };
  const text = header.replace(/\s+/g, ' ').trim();
  if (text === '') return [];
  const type = /\b(struct|union|enum|class)\s*([A-Za-z_]\w*)?\s*(?:\{\}|$)/.exec(text);
  const members = type && text.includes('{}') ? membersIn(body, type[1] === 'enum') : [];
  if (/^typedef\b/.test(text)) {
    const name = /\(\s*\*\s*([A-Za-z_]\w*)/.exec(text)?.[1] ?? text.replace(/\[.*$/, '').match(word)?.at(-1);
    const names = [...new Set([name, type?.[2]])].filter(each => each !== undefined && each !== 'typedef');
    return [...names.map(each => ({ ...whole, kind: 'type' as const, name: each!, shape: '' })), ...members];
  }
  if (isFunction(text)) {
    const name = /([A-Za-z_]\w*)\s*\(/.exec(text.replace(/__attribute__\s*\(\(.*?\)\)/g, ''))?.[1];
    if (name === undefined || basic.has(name)) {
      const pointer = /\(\s*\*\s*([A-Za-z_]\w*)/.exec(text)?.[1];
      return pointer ? [{ ...whole, kind: 'variable', name: pointer, shape: text }] : [];
    }
    const isDefined = headerTo >= 0;
    const kind = isDefined ? 'function' : 'prototype';
    return [{ ...whole, kind, name, headerTo: isDefined ? headerTo : to, ...shapesOf(text, name) }];
  }
  const tag = type?.[2] === undefined ? [] : [{ ...whole, kind: 'type' as const, name: type[2], shape: '' }];
  const variables = type && /(?:\{\}|\b(?:struct|union|enum|class) \w+)$/.test(text) ? [] : declaratorsIn(text);
  return [...tag, ...members, ...variables.map(name => ({ ...whole, kind: 'variable' as const, name, shape: '' }))];
}

/** Where `name (` begins; −1 if it is nowhere. A pattern for each of thousands of names would take longer than all the rest. */
function callOf(header: string, name: string): number {
  for (let at = header.indexOf(name); at >= 0; at = header.indexOf(name, at + 1))
    if (!/\w/.test(header[at - 1] ?? '') && /^\s*\(/.test(header.slice(at + name.length, at + name.length + 40)))
      return at;
  return -1;
}

/** The types of a function: return type and parameters, without names and qualifiers. */
function shapesOf(header: string, name: string): Pick<Declaration, 'shape' | 'exact'> {
  const at = callOf(header, name);
  const rest = header.slice(header.indexOf('(', at)).replace(attribute, ' ');
  const list = rest.slice(1, rest.lastIndexOf(')'));
  const isOld = /\)\s*[a-z]/.test(rest);
  const params = isOld ? [`${list.split(',').length} of them`] : splitAtCommas(list).map(unnamed);
  const returned = header.slice(0, at).replace(qualifiers, ' ').replace(attribute, ' ').replace(/\s+/g, ' ');
  const exact = `${/\bstatic\b/.test(header) ? 'static ' : ''}${returned.trim()}(${params.join(',')})`;
  return { shape: exact.replace(/\bconst\b/g, '').replace(/\s/g, ''), exact: exact.replace(/\s*\*\s*/g, '*') };
}

function unnamed(param: string): string {
  const unqualified = param.replace(qualifiers, ' ').replace(attribute, ' ');
  // The callee's own copy may be constant without anybody noticing.
  const text = /[*[]/.test(unqualified) ? unqualified : unqualified.replace(/\bconst\b/g, ' ');
  const plain = text
    .replace(/\s+/g, ' ')
    .replace(/ ?\* ?/g, '*')
    .trim();
  const words = plain.match(word)?.filter(each => each !== 'const') ?? [];
  const last = words.at(-1);
  const isNamed =
    words.length > 1 && last !== undefined && !basic.has(last) && !/^(?:struct|union|enum) \w+\W*$/.test(plain);
  const at = isNamed ? plain.lastIndexOf(last) : -1;
  const isAtEnd = isNamed && !/\w/.test(plain.slice(at + last.length));
  return (isAtEnd ? plain.slice(0, at) + plain.slice(at + last.length) : plain).trim();
}

const declaratorsIn = (text: string): readonly string[] =>
  splitAtCommas(text.replace(/\{\}/g, '')).flatMap(
    each =>
      each
        .replace(/[=[(:].*$/, '')
        .match(word)
        ?.at(-1) ?? [],
  );

function membersIn(body: Open['body'], isEnum: boolean): readonly Declaration[] {
  const found: Declaration[] = [];
  for (const [line, text] of body)
    for (const each of text.split(isEnum ? ',' : /[;,]/)) {
      const names = each.replace(/[=[(:].*$/, '').match(word) ?? [];
      const name = isEnum ? names[0] : (/\(\s*\*\s*([A-Za-z_]\w*)/.exec(each)?.[1] ?? names.at(-1));
      if (name !== undefined && !basic.has(name))
        found.push({
          kind: 'member',
          name,
          from: line,
          to: line,
          headerTo: line,
          shape: '',
          exact: '',
          isStatic: false,
        });
    }
  return found;
}

export function splitAtCommas(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of text) {
    depth += '([{'.includes(sign) ? 1 : ')]}'.includes(sign) ? -1 : 0;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}
