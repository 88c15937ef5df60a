/** Calls of functions of Python modules. */
import { dirname, relative } from 'node:path/posix';
import type { Called, CallWriting, WrittenCall } from '../../calls.js';
import { childAt, type FlatTree, kindOf, partsOf, textOf } from '../../flat-tree.js';

/** Functions at the top of a file. What a decorator makes of one may not be called as it is. */
function calledIn(tree: FlatTree): readonly Called[] {
  return partsOf(tree, 0).flatMap((node): Called[] => {
    const name = childAt(tree, node, 'name');
    const report = kindOf(tree, node) === 'function_definition' ? reportOf(tree, node) : undefined;
    return name === undefined || report === undefined ? [] : [{ name: textOf(tree, name), report }];
  });
}

/** A call at the beginning of its body; nothing if it is a generator or asynchronous, or takes any number of arguments. */
function reportOf(tree: FlatTree, node: number): Called['report'] | undefined {
  const [parameters, body] = [childAt(tree, node, 'parameters'), childAt(tree, node, 'body')];
  if (parameters === undefined || body === undefined || /^async\b/.test(textOf(tree, node))) return undefined;
  for (let inside = body; inside < tree.past[body]!; inside++) if (kindOf(tree, inside) === 'yield') return undefined;
  const parts = partsOf(tree, parameters);
  const separator = parts.findIndex(each => kindOf(tree, each) === 'keyword_separator');
  const params = parts.flatMap((each, i) => {
    const param = paramOf(tree, each);
    if (i === separator) return [];
    return [param && separator >= 0 && i > separator ? { ...param, isNamed: true } : param];
  });
  if (params.some(each => each === undefined)) return undefined;
  const [at, end] = [tree.start[body]!, lineStart(tree.text, tree.start[body]!)];
  const indent = tree.text.slice(end, at);
  const given = params.map(each => `('${each!.isNamed ? each!.name : ''}', ${each!.name}),`).join('');
  const after = indent.trim() === '' ? `\n${indent}` : '; ';
  return id => [{ at, text: `__import__('culprit_values').called(${id}, (${given}))${after}` }];
}

interface Param {
  readonly name: string;
  /** It may be given by its name. */
  readonly isNamed: boolean;
}

function paramOf(tree: FlatTree, node: number): Param | undefined {
  const kind = kindOf(tree, node);
  if (kind === 'identifier') return { name: textOf(tree, node), isNamed: false };
  const name = childAt(tree, node, 'name') ?? (kind === 'typed_parameter' ? partsOf(tree, node)[0] : undefined);
  if (name === undefined || kindOf(tree, name) !== 'identifier') return undefined;
  return { name: textOf(tree, name), isNamed: kind !== 'typed_parameter' };
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** An object with these fields, in place of an object of a class. */
const thing = `def thing(**fields):
    return __import__('types').SimpleNamespace(**fields)`;

/** What a call throws is printed, and the next call is made. */
const show = `def show(call):
    try:
        print(call())
    except Exception:
        __import__('traceback').print_exc()`;

function program(calls: readonly WrittenCall[], { path }: { readonly path: string }): string {
  const functions = [...new Set(calls.map(call => `${moduleOf(path, call.path)} import ${call.name}`))];
  const imports = functions.map((each, i) => `from ${each} as f${i}`);
  const made = calls.map(call => {
    const i = functions.indexOf(`${moduleOf(path, call.path)} import ${call.name}`);
    return `show(lambda: f${i}(${call.values}))`;
  });
  const forObjects = made.some(call => /\bthing\(/.test(call)) ? [thing] : [];
  return [...imports, ...forObjects, show, ...made, ''].join('\n');
}

/** As a file beside the first package names it. */
const moduleOf = (path: string, file: string): string =>
  relative(dirname(path), file)
    .replace(/(?:\/__init__)?\.\w+$/, '')
    .replaceAll('/', '.');

export const pythonCalls: CallWriting = { calledIn, program };
