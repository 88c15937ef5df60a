/** Which declarations a word may mean, from where it is: an approximation of how C++ looks up names. */
import { addTo } from '../core/lists.js';
import {
  arrowSign,
  type Declaration,
  type Declarations,
  scopeSign,
  type TokenRange,
  type Tokens,
} from './declarations.js';

/** A word in a place: two words that are looked up in the same way are the same mention. */
export interface Mention {
  readonly word: number;
  /** Declarations outside classes that it may mean. */
  readonly targets: readonly number[];
  /** Functions of other namespaces that it means if it is called with their types. */
  readonly distant: readonly number[];
  /** It is after a namespace, a dot or an arrow. */
  readonly isQualified?: boolean;
  /** What the compiler looks up with it. */
  readonly others?: readonly Mention[];
}

const code = (sign: string): number => sign.charCodeAt(0);
const [dot, less, more, equals, comma, close, square, star, and] = [...'.<>=,)[*&'].map(code) as Signs;
type Signs = [number, number, number, number, number, number, number, number, number];

/** Words between which and a comma a type may be. */
const qualifiers = new Set(['const', 'volatile', 'typename', 'struct', 'class', 'enum', 'union']);

/** What a type is: a class, or a name for another type. */
const classType = 1;
const otherType = 2;

/** How far the end of `<…>` is looked for, in tokens. */
const farthest = 100;

/** A friend that is defined in its class may be declared outside it, for other parameters too. */
const fewOverloads = 3;

const noAliases: ReadonlyMap<string, number> = new Map();

const nowhere: readonly number[] = [];

export class Lookup {
  /** By token, −1 for what is not the name of anything. */
  readonly mentionAt: Int32Array;
  readonly mentions: Mention[] = [];
  /** By word: the members, and the definitions of members outside their classes. */
  readonly inner: (number[] | undefined)[] = [];
  /** By word: namespaces. */
  readonly scopes: (number[] | undefined)[] = [];
  /** By declaration: its members, if it is a class. */
  readonly membersOf: readonly number[][];
  /** By declaration: the types that must be there, or it is not what its name means. */
  readonly types: readonly (readonly number[])[];
  /** By declaration: the first namespace with its name, which may say `inline`. */
  readonly firstScope: Int32Array;
  /** By declaration: the one after everything in it. */
  readonly past: Int32Array;

  private readonly outer: (number[] | undefined)[] = [];
  private readonly known: ReadonlyMap<string, number>;
  private readonly isType: Uint8Array;
  private readonly aliases = new Map<number, number>();
  /** Namespaces, without those that are inline or have no name: the name, the one around it, and those that it uses. */
  private readonly paths: { readonly name: number; readonly above: number; readonly uses: Set<number> }[] = [];
  private readonly pathsNamed = new Map<number, number[]>();
  private readonly pathOf: Int32Array;
  private readonly visible = new Map<number, ReadonlySet<number>>();

  constructor(readonly declarations: Declarations) {
    const { all, tokens } = declarations;
    this.known = new Map(tokens.words.map((word, i) => [word, i]));
    this.isType = new Uint8Array(tokens.words.length);
    this.membersOf = all.map(() => []);
    this.past = Int32Array.from(all, (_, i) => i + 1);
    for (let i = all.length - 1; i >= 0; i--) {
      const { within } = all[i]!;
      if (within >= 0) this.past[within] = Math.max(this.past[within]!, this.past[i]!);
    }
    this.firstScope = new Int32Array(all.length).fill(-1);
    this.pathOf = new Int32Array(all.length);
    this.readPaths();
    for (const [i, one] of all.entries()) this.enter(i, one);
    this.types = all.map(one => this.typesOf(one));
    this.mentionAt = this.readMentions();
  }

  isMember(i: number): boolean {
    const { within } = this.declarations.all[i]!;
    return within >= 0 && this.declarations.all[within]!.kind === 'class';
  }

  /** The declarations outside classes with its name, in its namespace. */
  sameName(i: number): readonly number[] {
    if (this.isMember(i)) return nowhere;
    const { names } = this.declarations.all[i]!;
    return names.flatMap(name => (this.outer[name] ?? nowhere).filter(other => this.pathOf[other] === this.pathOf[i]));
  }

  /** Whether others with its name are declared in the same namespace or class: for a friend, more than declare it first. */
  isOverloaded(i: number): boolean {
    const { names, within, isFriend, kind } = this.declarations.all[i]!;
    if (kind !== 'function' && !isFriend) return false;
    const isInside = this.isMember(i) && !isFriend;
    return names.some(name => {
      const others = isInside ? this.inner[name] : this.outer[name];
      const isBeside = (other: number): boolean =>
        isInside ? this.declarations.all[other]!.within === within : this.pathOf[other] === this.pathOf[i];
      let count = 0;
      for (const other of others!)
        if (other !== i && isBeside(other) && ++count > (isFriend ? fewOverloads : 0)) return true;
      return false;
    });
  }

  private readPaths(): void {
    const { all, tokens } = this.declarations;
    const known = new Map<string, number>();
    const inline = new Set<string>();
    const firsts = new Map<string, number>();
    this.paths.push({ name: -1, above: -1, uses: new Set() });
    for (const [i, { kind, within, names, from, to }] of all.entries()) {
      let path = within < 0 ? 0 : this.pathOf[within]!;
      this.pathOf[i] = path;
      if (kind !== 'scope') continue;
      const isAlias = names.length === 1 && tokens.sign[from + 2] === equals;
      if (isAlias) {
        this.aliases.set(names[0]!, tokens.word[to - 2]!);
        this.firstScope[i] = i;
        continue;
      }
      const isInline = tokens.words[tokens.word[from]!] === 'inline';
      for (const name of names) {
        const key = `${path} ${name}`;
        if (isInline) inline.add(key);
        if (!firsts.has(key)) firsts.set(key, i);
        this.firstScope[i] = firsts.get(key)!;
        if (inline.has(key)) {
          addTo(this.pathsNamed, name, path);
          continue;
        }
        let own = known.get(key);
        if (own === undefined) {
          known.set(key, (own = this.paths.length));
          this.paths.push({ name, above: path, uses: new Set() });
          addTo(this.pathsNamed, name, own);
        }
        path = own;
      }
      this.pathOf[i] = path;
    }
  }

  /** In functions too: what they use is then visible around them, which finds too much and never too little. */
  private readDirectives(pathAt: Int32Array): void {
    for (const [at, name] of directivesIn(this.declarations.tokens))
      for (const path of this.pathsNamed.get(name) ?? []) this.paths[pathAt[at]!]!.uses.add(path);
  }

  private enter(i: number, declaration: Declaration): void {
    const { kind, within, names, isFriend, owner } = declaration;
    if (kind === 'scope') {
      for (const name of names) (this.scopes[name] ??= []).push(i);
      return;
    }
    const isMember = this.isMember(i);
    if (isMember) this.membersOf[within]!.push(i);
    const isOfNamespace = owner !== undefined && this.scopes[owner] !== undefined;
    if (isOfNamespace)
      this.pathOf[i] = Math.max(
        0,
        this.paths.findIndex(({ name }) => name === owner),
      );
    for (const name of names) {
      if (isMember || (owner !== undefined && !isOfNamespace)) (this.inner[name] ??= []).push(i);
      if ((!isMember && (owner === undefined || isOfNamespace)) || isFriend) (this.outer[name] ??= []).push(i);
      const isType = kind === 'class' || (kind === 'plain' && (names.length === 1 || this.isEnum(declaration, name)));
      if (isMember || !isType) continue;
      this.isType[name] = kind === 'class' ? classType : this.isType[name]! || otherType;
    }
  }

  /** Whether this is the name of an enumeration, which declares its constants too. */
  private isEnum({ from }: Declaration, name: number): boolean {
    const { word, words } = this.declarations.tokens;
    return words[word[from]!] === 'enum' && (word[from + 1] === name || word[from + 2] === name);
  }

  private typesOf(declaration: Declaration): readonly number[] {
    const { types, owner, names, within, isFriend } = declaration;
    if (isFriend && names.length > 0) return this.declarations.all[within]?.names.slice(0, 1) ?? [];
    if (!types) return nowhere;
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
    if (owner !== undefined && this.scopes[owner] === undefined) found.add(owner);
    // Nobody mentions an operator. One for any type is meant if something else uses what it consists of.
    if (found.size === 0 && names.length === 0) return this.typesIn(types, parameters);
    return [...found];
  }

  /** Classes, other types and concepts, however they are used. */
  private typesIn({ from, to }: TokenRange, parameters: ReadonlySet<number>): readonly number[] {
    const { word } = this.declarations.tokens;
    const { all } = this.declarations;
    const isType = (i: number): boolean => all[i]!.kind === 'class' || all[i]!.kind === 'plain';
    const found = new Set<number>();
    for (let at = from; at < to; at++) {
      const each = word[at]!;
      if (each >= 0 && !parameters.has(each) && !this.isParameter(at) && this.outer[each]?.some(isType))
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

  private readMentions(): Int32Array {
    const { all, tokens } = this.declarations;
    const { word, count } = tokens;
    const pathAt = new Int32Array(count);
    for (const [i, { kind, from, to }] of all.entries()) if (kind === 'scope') pathAt.fill(this.pathOf[i]!, from, to);
    this.readDirectives(pathAt);
    const known = new Map<number, number>();
    const found = new Int32Array(count).fill(-1);
    const most = this.paths.length + 3;
    for (let at = 0; at < count; at++) {
      const each = word[at]!;
      if (each < 0) {
        const names = this.declarations.impliedAt(at);
        if (names) found[at] = this.impliedTogether(names);
        continue;
      }
      if (!(this.outer[each] || this.inner[each] || this.scopes[each])) continue;
      const scope = this.scopeBefore(tokens, at);
      // Members come first, then what is qualified by a namespace, then what is visible in one.
      const place = scope === asMember ? 0 : scope === unqualified ? 2 + pathAt[at]! : 1;
      const key = (each * most + place) * tokens.words.length + (place === 1 ? scope + 1 : 0);
      let mention = known.get(key);
      if (mention === undefined) {
        known.set(key, (mention = this.mentions.length));
        this.mentions.push(this.mentionOf(each, scope, this.visibleFrom(pathAt[at]!)));
      }
      found[at] = mention;
    }
    return found;
  }

  private mentionOf(each: number, scope: number, seen: ReadonlySet<number>): Mention {
    const all = this.outer[each] ?? nowhere;
    if (scope === asMember || all.length === 0)
      return { word: each, targets: nowhere, distant: nowhere, isQualified: scope !== unqualified };
    if (scope !== unqualified) {
      const isThere = (i: number): boolean => this.isIn(this.pathOf[i]!, scope);
      return { word: each, targets: all.filter(isThere), distant: nowhere, isQualified: true };
    }
    const isSeen = (i: number): boolean => seen.has(this.pathOf[i]!);
    const isCalled = (i: number): boolean =>
      !isSeen(i) && (this.declarations.all[i]!.kind === 'function' || this.declarations.all[i]!.isFriend === true);
    return { word: each, targets: all.filter(isSeen), distant: all.filter(isCalled) };
  }

  /** What is mentioned in another text that follows this one; undefined if its brackets do not match. */
  mentionsIn(text: string): readonly Mention[] | undefined {
    const tokens = this.declarations.read(text);
    if (!tokens) return undefined;
    const { word, words, sign, count } = tokens;
    const seen = new Set(this.visibleFrom(0));
    for (const [, name] of directivesIn(tokens))
      for (const path of this.pathsNamed.get(this.wordOf(words[name])) ?? nowhere) seen.add(path);
    for (let at = 0; at + 1 < count; at++) {
      // `namespace a::b {`
      const isInside = words[word[at]!] === 'namespace' && sign[at + 2] !== equals;
      for (let i = at + 1; isInside && word[i]! >= 0; i += 2)
        for (const path of this.pathsNamed.get(this.wordOf(words[word[i]!])) ?? nowhere)
          for (const each of this.visibleFrom(path)) seen.add(each);
    }
    const aliases = new Map<string, number>();
    for (let at = 0; at + 3 < count; at++) {
      if (words[word[at]!] !== 'namespace' || sign[at + 2] !== equals || word[at + 1]! < 0) continue;
      let last = at + 3;
      while (word[last + 1]! >= 0 || sign[last + 1] === scopeSign) last++;
      aliases.set(words[word[at + 1]!]!, this.wordOf(words[word[last]!]));
    }
    const found = new Map<string, Mention>();
    for (let at = 0; at < count; at++) {
      const each = this.wordOf(words[word[at]!]);
      if (each < 0) continue;
      const scope = this.scopeBefore(tokens, at, aliases);
      const key = `${each} ${scope}`;
      if (!found.has(key)) found.set(key, this.mentionOf(each, scope, seen));
    }
    for (const name of this.declarations.implied(text)) {
      const mention = this.impliedMention(name);
      if (mention) found.set(name, mention);
    }
    return [...found.values()];
  }

  /** Words of another text that mean nothing there, although something is declared by this name in a namespace. */
  unknownIn(text: string): ReadonlySet<string> {
    const tokens = this.declarations.read(text);
    const found = new Set<string>();
    if (!tokens) return found;
    const { word, words, sign, count } = tokens;
    const visible = new Map<number, Mention>();
    for (const mention of this.mentionsIn(text) ?? []) if (!mention.isQualified) visible.set(mention.word, mention);
    for (let at = 0; at < count; at++) {
      const each = this.wordOf(words[word[at]!]);
      const isAlone = sign[at - 1] !== scopeSign && sign[at - 1] !== dot && sign[at - 1] !== arrowSign;
      if (each < 0 || !isAlone || sign[at + 1] === scopeSign || words[word[at - 1]!] === 'namespace') continue;
      const { targets, distant } = visible.get(each) ?? { targets: nowhere, distant: nowhere };
      const isDeclared = this.outer[each] !== undefined || this.scopes[each] !== undefined;
      if (isDeclared && targets.length === 0 && distant.length === 0) found.add(words[word[at]!]!);
    }
    return found;
  }

  private wordOf = (word: string | undefined): number => (word === undefined ? -1 : (this.known.get(word) ?? -1));

  private readonly together = new Map<readonly string[], number>();

  /** One mention for all of these words; −1 if nothing is known of them. */
  private impliedTogether(names: readonly string[]): number {
    let at = this.together.get(names);
    if (at === undefined) {
      const [first, ...others] = names.flatMap(name => this.impliedMention(name) ?? []);
      at = first ? this.mentions.push({ ...first, others }) - 1 : -1;
      this.together.set(names, at);
    }
    return at;
  }

  /** A word that the compiler looks up: classes, and functions of the types that are there. */
  private impliedMention(name: string): Mention | undefined {
    const { all } = this.declarations;
    const each = this.wordOf(name);
    if (each < 0) return undefined;
    const outer = this.outer[each] ?? nowhere;
    const isVariable = outer.every(i => all[i]!.kind === 'plain');
    return {
      word: each,
      targets: outer.filter(i => isVariable || all[i]!.kind === 'class'),
      distant: outer.filter(i => all[i]!.kind === 'function'),
    };
  }

  /** Whether `a::b` may mean a declaration in this namespace; −1 for `::b`. */
  private isIn(path: number, scope: number): boolean {
    if (scope < 0) return path === 0 || this.paths[0]!.uses.has(path);
    const named = this.pathsNamed.get(scope) ?? nowhere;
    return named.some(each => each === path || this.paths[each]!.uses.has(path));
  }

  private visibleFrom(path: number): ReadonlySet<number> {
    let found = this.visible.get(path);
    if (found) return found;
    const all = new Set<number>();
    for (let at = path; at >= 0; at = this.paths[at]!.above) {
      all.add(at);
      for (const used of this.paths[at]!.uses) all.add(used);
    }
    this.visible.set(path, (found = all));
    return found;
  }

  /** The namespace in front of a word, or how it is looked up without one. */
  private scopeBefore({ sign, word, words, start, end }: Tokens, at: number, aliases = noAliases): number {
    const before = sign[at - 1];
    if (before === dot) return asMember;
    // `auto f() -> b` is no member.
    if (before === arrowSign) return end[at - 1] === start[at] ? asMember : unqualified;
    if (before !== scopeSign) return unqualified;
    // `return ::b`
    if (end[at - 2] !== start[at - 1] && sign[at - 2] !== more) return -1;
    const written = words[word[at - 2] ?? -1];
    if (written === undefined) return sign[at - 2] === more ? asMember : -1;
    const name = aliases.get(written) ?? this.wordOf(written);
    const scope = this.aliases.get(name) ?? name;
    return this.scopes[scope] ? scope : asMember;
  }
}

/** Where `using namespace a::b;` is, and the word for `b`. */
function* directivesIn({ word, words, sign, count }: Tokens): Generator<readonly [at: number, name: number]> {
  for (let at = 0; at + 2 < count; at++) {
    if (words[word[at]!] !== 'using' || words[word[at + 1]!] !== 'namespace') continue;
    let last = at + 2;
    while (sign[last + 1] === scopeSign) last += 2;
    if (sign[at + 2] === scopeSign) last++;
    if (word[last]! >= 0) yield [at, word[last]!];
  }
}

const asMember = -2;
const unqualified = -3;
