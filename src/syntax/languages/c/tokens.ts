/** The tokens of C and C++. */
import { arrowSign, scopeSign, type Tokens } from '../../declarations.js';

const skipped = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/|^[ \t]*#(?:\\\n|[^\n])*`;
const literal = String.raw`(?:u8|[uUL])?R"([^(\s\\]{0,16})\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|\.?\d(?:[\w.]|'(?=\w)|(?<=[eEpP])[+-])*`;
const name = String.raw`[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*`;
const token = () => new RegExp(`${skipped}|${literal}|${name}|::|->|\\S`, 'gm');

const wordStart = /[A-Za-z_$\u0080-\uffff]/;
const opening = '([{';
const closing = ')]}';

/** Undefined if the brackets of the text do not match. */
export function* tokensOf(text: string): Generator<void, Tokens | undefined> {
  const most = Math.max(16, text.length);
  let start = new Int32Array(most >> 1);
  let end = new Int32Array(most >> 1);
  let sign = new Uint16Array(most >> 1);
  let word = new Int32Array(most >> 1);
  let count = 0;
  const known = new Map<string, number>();
  const words: string[] = [];
  const open: number[] = [];
  const pairs: number[] = [];
  for (const { 0: found, index } of text.matchAll(token())) {
    const first = found[0]!;
    if ((first === '/' && found.length > 1) || (found.length > 1 && found.trimStart()[0] === '#')) continue;
    if (count === start.length) {
      start = grown(start, new Int32Array(most));
      end = grown(end, new Int32Array(most));
      sign = grown(sign, new Uint16Array(most));
      word = grown(word, new Int32Array(most));
    }
    start[count] = index;
    end[count] = index + found.length;
    word[count] = -1;
    if (found === '::') sign[count] = scopeSign;
    else if (found === '->') sign[count] = arrowSign;
    else if (wordStart.test(first) && !found.endsWith('"')) {
      let at = known.get(found);
      if (at === undefined) {
        known.set(found, (at = words.length));
        words.push(found);
      }
      word[count] = at;
    } else if (found.length === 1 && !(first >= '0' && first <= '9')) {
      sign[count] = first.charCodeAt(0);
      if (opening.includes(first)) open.push(count);
      const kind = closing.indexOf(first);
      if (kind >= 0) {
        const other = open.pop();
        if (other === undefined || sign[other] !== opening.charCodeAt(kind)) return undefined;
        pairs.push(other, count);
      }
    }
    if (++count % 20_000 === 0) yield;
  }
  if (open.length > 0) return undefined;
  const partner = new Int32Array(count).fill(-1);
  for (let i = 0; i < pairs.length; i += 2) {
    partner[pairs[i]!] = pairs[i + 1]!;
    partner[pairs[i + 1]!] = pairs[i]!;
  }
  return { text, count, start, end, sign, word, words, partner };
}

function grown<Numbers extends Int32Array | Uint16Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
