/** A text with parts that can be left out, some inside others. Rendering with every part kept gives the text back exactly. */
export interface Structure {
  /** Each part in words; a part comes after its parent. */
  readonly parts: readonly { readonly label: string; readonly parent: number; readonly weight: number }[];
  /** The text with the parts for which `kept` holds. */
  render(kept: (part: number) => boolean): string;
}

/** A JSON body by members and elements, a form by fields, anything else by line or word. */
export function structureOf(text: string, mimeType: string): Structure {
  if (/[/+]json\b/i.test(mimeType) || /^\s*[{[]/.test(text)) {
    const structure = jsonStructure(text);
    if (structure) return structure;
  }
  if (/x-www-form-urlencoded/i.test(mimeType))
    return listStructure(text.split('&'), '&', piece => `field ${piece.split('=')[0]}`);
  const boundary = /multipart\/.*boundary="?([^";]+)/i.exec(mimeType)?.[1];
  if (boundary && text.includes(`--${boundary}`)) return multipartStructure(text, boundary);
  const pieces = text.includes('\n') ? text.match(/[^\n]*\n|[^\n]+$/g) : text.match(/\s*\S+|\s+$/g);
  return listStructure(pieces ?? [], '', piece => JSON.stringify(piece.length > 40 ? `${piece.slice(0, 40)}…` : piece));
}

export function listStructure(
  pieces: readonly string[],
  separator: string,
  label: (piece: string) => string,
): Structure {
  return {
    parts: pieces.map(piece => ({ label: label(piece), parent: -1, weight: piece.length + separator.length })),
    render: kept => pieces.filter((_, part) => kept(part)).join(separator),
  };
}

function multipartStructure(text: string, boundary: string): Structure {
  const line = `--${boundary}`;
  const [before = '', ...rest] = text.split(line);
  const closing = rest.at(-1)?.startsWith('--') ? line + rest.pop() : '';
  const inner = listStructure(rest, '', piece => `field ${/name="([^"]*)"/.exec(piece)?.[1] ?? '?'}`);
  return {
    parts: inner.parts,
    render: kept =>
      before +
      rest
        .filter((_, part) => kept(part))
        .map(piece => line + piece)
        .join('') +
      closing,
  };
}

/** A value in a JSON text, by position: numbers and strings keep their spelling, which JSON.parse would lose. */
interface Node {
  /** For members, the position of the key. */
  start: number;
  end: number;
  part: number;
  children: Node[];
  /** Where the value itself begins. */
  value: number;
}

function jsonStructure(text: string): Structure | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const parts: { label: string; parent: number; weight: number }[] = [];
  let i = 0;
  const blanks = () => {
    while (i < text.length && /\s/.test(text[i]!)) i++;
  };
  const string = () => {
    const from = i++;
    while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
    return text.slice(from, ++i);
  };
  const value = (node: Node, path: string): void => {
    blanks();
    node.value = i;
    const open = text[i];
    if (open === '"') string();
    else if (open === '{' || open === '[') {
      i++;
      for (let index = 0; ; index++) {
        blanks();
        if (text[i] === ',') i++;
        blanks();
        if (text[i] === '}' || text[i] === ']') break;
        const child: Node = { start: i, end: i, value: i, part: parts.length, children: [] };
        let inside = `${path}[${index}]`;
        if (open === '{') {
          const key = JSON.parse(string()) as string;
          inside = path ? `${path}.${key}` : key;
          blanks();
          i++;
        }
        parts.push({ label: inside, parent: node.part, weight: 0 });
        value(child, inside);
        child.end = i;
        parts[child.part]!.weight = child.end - child.start + 1;
        node.children.push(child);
      }
      i++;
    } else while (i < text.length && !/[\s,\]}]/.test(text[i]!)) i++;
  };
  const root: Node = { start: 0, end: text.length, value: 0, part: -1, children: [] };
  value(root, '');
  const close = i;
  const render = (node: Node, end: number, kept: (part: number) => boolean): string => {
    const left = node.children.filter(child => kept(child.part));
    if (node.children.length === 0) return text.slice(node.start, end);
    const inner = left.map(child => render(child, child.end, kept));
    const same =
      left.length === node.children.length && left.every((child, k) => inner[k] === text.slice(child.start, child.end));
    if (same) return text.slice(node.start, end);
    return `${text.slice(node.start, node.value + 1)}${inner.join(',')}${text[end - 1]}`;
  };
  return { parts, render: kept => render(root, close, kept) + text.slice(close) };
}
