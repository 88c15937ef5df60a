/** Whether two statements say the same, or nearly. */
import { type FlatTree, isComment, isLeaf, textOf } from '../flat-tree.js';
import { type AlignedParts, insideOf, type Part } from './aligned-parts.js';

/** Two statements that became one: the other one is the same as it, too. */
export function variantOf(old: FlatTree, { news, newOf }: AlignedParts, { node, own }: Part): number | undefined {
  if (own.length < fewestTokens || insideOf(old, node) !== undefined) return undefined;
  const [words, kept] = [new Set(own), new Set(newOf.values())];
  const [best] = news
    .filter(each => kept.has(each.node) && each.own.length >= fewestTokens)
    .map(each => ({ node: each.node, score: likenessOf(words, new Set(each.own)) }))
    .filter(({ score }) => score >= veryAlike)
    .sort((a, b) => b.score - a.score);
  return best?.node;
}

const likenessOf = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  (2 * [...a].filter(word => b.has(word)).length) / (a.size + b.size);

/** A shorter statement is like many others. */
const fewestTokens = 8;
/** Two statements are variants of each other if they share this much of their tokens. */
const veryAlike = 0.7;

/** The tokens of a part of a text, however it is formatted. */
export function tokensIn(tree: FlatTree, from: number, past: number): string {
  const tokens: string[] = [];
  for (let leaf = from; leaf < past; leaf++)
    if (isLeaf(tree, leaf) && !isComment(tree, leaf)) tokens.push(inAnyStyle(textOf(tree, leaf)));
  return tokens.join(' ').replace(/\s+/g, ' ').trim();
}

/** A formatter or a linter writes these as it likes. */
const inAnyStyle = (token: string): string => (/^(?:;|const|let|var)$/.test(token) ? '' : token === "'" ? '"' : token);
