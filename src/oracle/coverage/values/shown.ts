/** What of a run may become a part of the result, which people publish: nothing that comes from the environment. */
import type { Artifact } from '../../../core/artifact.js';
import { decode } from '../../../core/decode.js';
import { secretsIn } from './secrets.js';

/** A longer text may be a password, a key or a path of this machine, unless the input has it already. */
const harmless = 16;
/** A shorter variable says nothing. */
const telling = 4;

export interface Shown {
  /** Whether a literal may be used: a short one, or one that the input has. */
  isOpen(literal: string): boolean;
  /** Whether a line may be used: nearly all of its words are words of the input. */
  isOpenLine(line: string): boolean;
  /** Whether literals may be used, however deep and long: their texts as a line, and numbers that are no variable. */
  areOpenValues(literals: string): boolean;
  /** Whether they may be used together: a secret may be in several of them. */
  areOpenTogether(texts: readonly string[]): boolean;
}

/** `around`: the variables of the environment, and the folders of the run. */
export function shownFrom(files: Artifact['files'], around: readonly (string | undefined)[]): Shown {
  const own = around.filter(value => value !== undefined && value.length >= telling) as string[];
  const texts = [...files.values()].flatMap(entry => (entry.kind === 'file' ? [decode(entry.bytes).text] : []));
  const isInInput = (text: string): boolean => texts.some(each => each.includes(text));
  const holdsSecret = secretsIn(texts, own);
  // Only lines need them, and an input may have megabytes of words.
  let words: ReadonlySet<string> | undefined;
  let secret: readonly string[] | undefined;
  const isOpenLine = (line: string): boolean => {
    const known = (words ??= new Set(texts.flatMap(wordsOf)));
    const fresh = wordsOf(line).filter(word => !known.has(word));
    secret ??= own.filter(value => !isInInput(value));
    if (secret.some(value => line.includes(value)) || holdsSecret(line)) return false;
    // A part of a variable says as much as all of it.
    if (fresh.some(word => word.length >= telling && own.some(value => value.includes(word)))) return false;
    return fresh.join('').length <= harmless;
  };
  return {
    isOpenLine,
    areOpenValues(literals) {
      const rest = literals.replace(quoted, ' ');
      const texts = literals.match(quoted)?.map(text => text.replace(/\\[nrt]/g, ' ').replace(/\\(.)/gs, '$1')) ?? [];
      const numbers = rest.match(number) ?? [];
      return (
        isOpenLine([...texts, rest.replace(number, ' ').replace(forms, ' ')].join(' ')) &&
        !numbers.some(each => own.includes(each)) &&
        !holdsSecret(rest)
      );
    },
    areOpenTogether: some => !holdsSecret(some.join(' ')),
    isOpen(literal) {
      const inside = /^["'](.*)["']$/s.exec(literal)?.[1];
      const text = (inside ?? literal).replace(/\\(.)/gs, '$1');
      if (text.length < telling || isInInput(text)) return true;
      // `true` says nothing, wherever it comes from; a number may be a PIN.
      if (inside === undefined)
        return !/^-?[\d.]/.test(text) || !own.some(value => value.replace(/^0+/, '') === text.replace(/[ULf]+$/, ''));
      const isOwn = own.some(value => value.includes(text) || text.includes(value));
      return text.length <= harmless && !isOwn && !holdsSecret(text);
    },
  };
}

/** A text as `JSON` writes it, or in single quotes. */
const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs;

const number = /\b\d[\d.]*/g;
/** Words in which the agents write values: they say nothing. */
const forms = /\b(?:new|Map|Set|Date|undefined|null|true|false|None|True|False|set|frozenset|lambda|thing)\b/g;

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
