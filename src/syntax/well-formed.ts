/** How many syntax errors a grammar finds in a text, and which edits would add some. */
import { pauseIfDue } from '../core/pause.js';
import type { Edit, Span } from './edit.js';
import type { Grammar } from './grammars.js';
import { parse, parseInSteps, readableFor, type SyntaxTree } from './syntax.js';
import { apply } from './text-cut.js';

/** One tree of the text serves all edits: what an edit does not touch is not parsed again. */
export async function withoutNewErrors(
  grammar: Grammar,
  text: string,
  edits: readonly Edit[],
): Promise<readonly Edit[]> {
  const parsed = parse(grammar, text);
  if (parsed === undefined) return edits;
  const own = countErrors(parsed.rootNode);
  const like = { text: readableFor(grammar, text), tree: parsed };
  const sound: Edit[] = [];
  for (const edit of edits) {
    const after = parse(grammar, apply(text, edit), like);
    const errors = after === undefined ? 0 : countErrors(after.rootNode);
    after?.delete();
    if (errors <= own) sound.push(edit);
    // Thousands of small parses are a long time without a signal.
    await pauseIfDue();
  }
  parsed.delete();
  return sound;
}

/** In a shorter text, an edit is checked in a few milliseconds. */
const shortText = 100_000;
/** A part of a text that is parsed by itself. */
const largestPart = 20_000;
/** How many parts around an edit are looked at, the largest first. */
const mostParts = 3;

/**
 * The same for single edits of a text that may be large: an edit is checked in the largest part around it that can be read by itself, such as a function. A
 * grammar that finds errors in a text parses most of it again for each edit, which takes a second for a megabyte.
 */
export async function withoutNewErrorsNearby<Single extends Span>(
  grammar: Grammar,
  text: string,
  edits: readonly Single[],
): Promise<readonly Single[]> {
  const parsed = text.length <= shortText ? undefined : await parseInSteps(grammar, text);
  const partAround = parsed && partsReadBy(grammar, text, parsed);
  const sound = new Set<Span>();
  const inWhole: Edit[] = [];
  for (const edit of edits) {
    await pauseIfDue();
    const part = partAround?.(edit);
    if (!part) inWhole.push({ spans: [edit] });
    else if (syntaxErrors(grammar, apply(part.text, { spans: [shifted(edit, part.start)] })) === 0) sound.add(edit);
  }
  parsed?.delete();
  for (const { spans } of inWhole.length > 0 ? await withoutNewErrors(grammar, text, inWhole) : [])
    sound.add(spans[0]!);
  return edits.filter(edit => sound.has(edit));
}

const shifted = ({ start, end, text }: Span, by: number): Span => ({ start: start - by, end: end - by, text });

interface TextPart {
  readonly start: number;
  readonly text: string;
}

/** The largest part around an edit that has no errors if it is read by itself. Many edits are in one function, which is read once. */
function partsReadBy(grammar: Grammar, text: string, { rootNode }: SyntaxTree): (edit: Span) => TextPart | undefined {
  const readable = new Map<string, boolean>();
  const isReadable = (part: TextPart): boolean => {
    const key = `${part.start} ${part.text.length}`;
    const known = readable.get(key) ?? syntaxErrors(grammar, part.text) === 0;
    readable.set(key, known);
    return known;
  };
  return ({ start, end }) => {
    const around: TextPart[] = [];
    for (let node = rootNode.descendantForIndex(start, end); node?.parent; node = node.parent)
      if (node.endIndex - node.startIndex <= largestPart && node.startIndex <= start && node.endIndex >= end)
        around.unshift({ start: node.startIndex, text: text.slice(node.startIndex, node.endIndex) });
    return around.slice(0, mostParts).find(isReadable);
  };
}

/** How many errors a grammar finds in a text; 0 if it can't read it at all. */
export function syntaxErrors(grammar: Grammar, text: string): number {
  const parsed = parse(grammar, text);
  if (parsed === undefined) return 0;
  const found = countErrors(parsed.rootNode);
  parsed.delete();
  return found;
}

/** Only nodes with errors are visited. A token that is missing in a hidden node has no separate node, and counts too. */
function countErrors(node: SyntaxTree['rootNode']): number {
  if (!node.hasError) return 0;
  const own = node.isError || node.isMissing ? 1 : 0;
  return Math.max(
    1,
    node.children.reduce((sum, child) => sum + countErrors(child), own),
  );
}
