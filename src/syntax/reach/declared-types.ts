/** Which types a C++ declaration is about: without them, it is not what its name means. */
import { type Declaration, type Declarations, scopeSign, type TokenRange } from '../declarations.js';

const code = (sign: string): number => sign.charCodeAt(0);
const [less, more, equals, comma, close, square, star, and] = [...'<>=,)[*&'].map(code) as Signs;
type Signs = [number, number, number, number, number, number, number, number];

/** Words between which and a comma a type may be. */
const qualifiers = new Set(['const', 'volatile', 'typename', 'struct', 'class', 'enum', 'union']);

/** What a type is: a class, or a name for another type. */
const classType = 1;
const otherType = 2;

/** How far the end of `<…>` is looked for, in tokens. */
const farthest = 100;

const none: readonly number[] = [];

/** By word: what is declared outside classes, and namespaces. */
export interface NamedOutside {
  readonly outer: readonly (readonly number[] | undefined)[];
  readonly scopes: readonly (readonly number[] | undefined)[];
}

export class DeclaredTypes {
  private readonly isType: Uint8Array;

  constructor(
    private readonly declarations: Declarations,
    private readonly named: NamedOutside,
  ) {
    this.isType = new Uint8Array(declarations.tokens.words.length);
  }

  /** Notes a declaration outside classes. */
  enter(declaration: Declaration): void {
    const { kind, names } = declaration;
    for (const name of names) {
      const isType = kind === 'class' || (kind === 'plain' && (names.length === 1 || this.isEnum(declaration, name)));
      if (isType) this.isType[name] = kind === 'class' ? classType : this.isType[name]! || otherType;
    }
  }

  /** The types of a declaration, when all are entered. */
  of(declaration: Declaration): readonly number[] {
    const { types, result, owner, names, within, isFriend } = declaration;
    if (isFriend && names.length > 0) return this.declarations.all[within]?.names.slice(0, 1) ?? [];
    if (!types) return none;
    const { word, sign } = this.declarations.tokens;
    const found = new Set<number>();
    const parameters = this.templateParameters(declaration);
    for (let at = types.from; at < types.to; at++) {
      const each = word[at]!;
      if (each < 0 || this.isType[each] === 0 || this.isParameter(at)) continue;
      // A function of types, such as `enable_if<…>::type` and `void_t<…>`, is a condition of its own.
      const end = sign[at + 1] === less ? this.anglesEnd(at + 1) : at;
      if (sign[end + 1] === scopeSign || (end > at && this.isType[each] === otherType)) at = end;
      else if (!names.includes(each) && !parameters.has(each)) found.add(each);
    }
    if (owner !== undefined && this.named.scopes[owner] === undefined) found.add(owner);
    // Nobody mentions an operator. One for any type is meant if something else uses what it consists of.
    if (found.size === 0 && names.length === 0)
      return this.typesIn({ from: result?.from ?? types.from, to: types.to }, parameters);
    return [...found];
  }

  /** Whether this is the name of an enumeration, which declares its constants too. */
  private isEnum({ from }: Declaration, name: number): boolean {
    const { word, words } = this.declarations.tokens;
    return words[word[from]!] === 'enum' && (word[from + 1] === name || word[from + 2] === name);
  }

  /** Classes, other types and concepts, however they are used. */
  private typesIn({ from, to }: TokenRange, parameters: ReadonlySet<number>): readonly number[] {
    const { word } = this.declarations.tokens;
    const { all } = this.declarations;
    const isType = (i: number): boolean => all[i]!.kind === 'class' || all[i]!.kind === 'plain';
    const found = new Set<number>();
    for (let at = from; at < to; at++) {
      const each = word[at]!;
      if (each >= 0 && !parameters.has(each) && !this.isParameter(at) && this.named.outer[each]?.some(isType))
        found.add(each);
    }
    return [...found];
  }

  /** `b` of `(const a* b, …)`. */
  private isParameter(at: number): boolean {
    const { sign, word, words } = this.declarations.tokens;
    const next = sign[at + 1];
    if (next !== comma && next !== close && next !== equals && next !== square) return false;
    const before = words[word[at - 1] ?? -1];
    if (before !== undefined) return !qualifiers.has(before);
    return sign[at - 1] === star || sign[at - 1] === and || sign[at - 1] === more;
  }

  /** The names in `template<class T, int n = 1>`: what they mean follows from the arguments. */
  private templateParameters({ from, to }: Declaration): ReadonlySet<number> {
    const { word, words, sign } = this.declarations.tokens;
    const found = new Set<number>();
    for (let at = from; at < to && words[word[at]!] === 'template' && sign[at + 1] === less; ) {
      const end = this.anglesEnd(at + 1);
      if (end === at + 1) break;
      for (let i = at + 2; i < end; i++) {
        const next = sign[i + 1];
        if (word[i]! >= 0 && (next === comma || next === equals || i + 1 === end)) found.add(word[i]!);
      }
      at = end + 1;
    }
    return found;
  }

  private anglesEnd(open: number): number {
    const { sign } = this.declarations.tokens;
    let depth = 0;
    for (let at = open; at < open + farthest; at++) {
      if (sign[at] === less) depth++;
      if (sign[at] === more && --depth === 0) return at;
    }
    return open;
  }
}
