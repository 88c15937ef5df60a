/** Values of a program state in a few words, for people. */
import { isReference, type State, type Value } from './graph.js';

const longest = 40;
const few = 4;

export function textOf(value: Value, { nodes }: State): string {
  if (!isReference(value)) return primitiveText(value);
  const node = nodes[value[1]]!;
  switch (node.k) {
    case 'list':
      return listText(node.a ?? []);
    case 'map':
      return `${node.c} of ${node.m?.length ?? 0}`;
    case 'set':
      return `${node.c} of ${node.a?.length ?? 0}`;
    case 'bytes':
      if (node.t !== undefined) return clipped(node.t);
      return `${node.c} of ${Math.floor(((node.x?.length ?? 0) * 3) / 4)} bytes`;
    case 'value':
      return clipped(node.t ?? node.x ?? node.c ?? '');
    case 'code':
      return `${node.c} ${clipped((node.x ?? '').replace(/\s+/g, ' '), 24)}`;
    case 'known':
    case 'opaque':
      return node.c ?? node.k;
    case 'object':
      return `${node.c ?? ''} {${(node.e ?? [])
        .slice(0, few)
        .map(([key]) => key)
        .join(', ')}${(node.e?.length ?? 0) > few ? ', …' : ''}}`.trim();
    default:
      node.k satisfies never;
      return '';
  }
}

function primitiveText(value: Exclude<Value, readonly ['r', number]>): string {
  if (Array.isArray(value)) return clipped(value[1]);
  return clipped(typeof value === 'string' ? JSON.stringify(value) : String(value));
}

function listText(values: readonly Value[]): string {
  const kinds = new Set(values.map(value => (isReference(value) ? 'object' : typeof value)));
  const kind = kinds.size === 1 ? [...kinds][0] : 'value';
  return values.length <= few && !values.some(isReference)
    ? `[${values.map(value => primitiveText(value as Exclude<Value, readonly ['r', number]>)).join(', ')}]`
    : `[${values.length} ${kind}s]`;
}

/** The beginning and the end of a long text: differences are often at the end. */
function clipped(text: string, most = longest): string {
  return text.length <= most ? text : `${text.slice(0, most - 12)}…${text.slice(-8)} (${text.length})`;
}
