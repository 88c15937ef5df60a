/** Which declarations a word may mean, from where it is: an approximation of how C++ looks up names. */
import { arrowSign, type Declaration, type Declarations, scopeSign, type Tokens } from '../declarations.js';
import { DeclaredTypes } from './declared-types.js';
import { directivesIn, Namespaces } from './namespaces.js';
import { OwnMembers } from './own-members.js';

/** A word in a place: two words that are looked up in the same way are the same mention. */
export interface Mention {
  readonly word: number;
  /** Declarations outside classes that it may mean. */
  readonly targets: readonly number[];
  /** Functions of other namespaces that it means if it is called with their types. */
  readonly distant: readonly number[];
  /** It is after a namespace, a dot or an arrow. */
  readonly isQualified?: boolean;
  /** The members that it means, if it is in the class that they are members of. Without it, those of any class with its name. */
  readonly members?: readonly number[];
  /** What the compiler looks up with it. */
  readonly others?: readonly Mention[];
}

const code = (sign: string): number => sign.charCodeAt(0);
const [dot, more, equals] = [...'.>='].map(code) as [number, number, number];

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
  private readonly namespaces: Namespaces;

  constructor(readonly declarations: Declarations) {
    const { all, tokens } = declarations;
    this.known = new Map(tokens.words.map((word, i) => [word, i]));
    this.membersOf = all.map(() => []);
    this.past = Int32Array.from(all, (_, i) => i + 1);
    for (let i = all.length - 1; i >= 0; i--) {
      const { within } = all[i]!;
      if (within >= 0) this.past[within] = Math.max(this.past[within]!, this.past[i]!);
    }
    this.namespaces = new Namespaces(declarations);
    this.firstScope = this.namespaces.firstScope;
    const types = new DeclaredTypes(declarations, { outer: this.outer, scopes: this.scopes });
    for (const [i, one] of all.entries()) {
      this.enter(i, one);
      if (one.kind !== 'scope' && !this.isMember(i)) types.enter(one);
    }
    this.types = all.map(one => types.of(one));
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
    const { pathOf } = this.namespaces;
    return names.flatMap(name => (this.outer[name] ?? nowhere).filter(other => pathOf[other] === pathOf[i]));
  }

  /** Whether others with its name are declared in the same namespace or class: for a friend, more than declare it first. */
  isOverloaded(i: number): boolean {
    const { names, within, isFriend, kind } = this.declarations.all[i]!;
    if (kind !== 'function' && !isFriend) return false;
    const { pathOf } = this.namespaces;
    const isInside = this.isMember(i) && !isFriend;
    return names.some(name => {
      const others = isInside ? this.inner[name] : this.outer[name];
      const isBeside = (other: number): boolean =>
        isInside ? this.declarations.all[other]!.within === within : pathOf[other] === pathOf[i];
      let count = 0;
      for (const other of others!)
        if (other !== i && isBeside(other) && ++count > (isFriend ? fewOverloads : 0)) return true;
      return false;
    });
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
    if (isOfNamespace) this.namespaces.enter(i, owner);
    for (const name of names) {
      if (isMember || (owner !== undefined && !isOfNamespace)) (this.inner[name] ??= []).push(i);
      if ((!isMember && (owner === undefined || isOfNamespace)) || isFriend) (this.outer[name] ??= []).push(i);
    }
  }

  private readMentions(): Int32Array {
    const { tokens } = this.declarations;
    const { word, count } = tokens;
    const pathAt = this.namespaces.readDirectives();
    const known = new Map<number, number>();
    const found = new Int32Array(count).fill(-1);
    const most = this.namespaces.count + 3;
    const own = new OwnMembers(this.declarations, this.inner);
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
      const members = scope === unqualified ? own.of(each, at) : undefined;
      const key = members
        ? -1 - members[0]!
        : (each * most + place) * tokens.words.length + (place === 1 ? scope + 1 : 0);
      let mention = known.get(key);
      if (mention === undefined) {
        known.set(key, (mention = this.mentions.length));
        const general = this.mentionOf(each, scope, this.namespaces.visibleFrom(pathAt[at]!));
        this.mentions.push(members ? { ...general, members } : general);
      }
      found[at] = mention;
    }
    return found;
  }

  private mentionOf(each: number, scope: number, seen: ReadonlySet<number>): Mention {
    const all = this.outer[each] ?? nowhere;
    const { pathOf } = this.namespaces;
    if (scope === asMember || all.length === 0)
      return { word: each, targets: nowhere, distant: nowhere, isQualified: scope !== unqualified };
    if (scope !== unqualified) {
      const isThere = (i: number): boolean => this.namespaces.isIn(pathOf[i]!, scope);
      return { word: each, targets: all.filter(isThere), distant: nowhere, isQualified: true };
    }
    const isSeen = (i: number): boolean => seen.has(pathOf[i]!);
    const isCalled = (i: number): boolean =>
      !isSeen(i) && (this.declarations.all[i]!.kind === 'function' || this.declarations.all[i]!.isFriend === true);
    return { word: each, targets: all.filter(isSeen), distant: all.filter(isCalled) };
  }

  /** What is mentioned in another text that follows this one; undefined if its brackets do not match. */
  mentionsIn(text: string): readonly Mention[] | undefined {
    if (this.last?.text !== text) this.last = { text, mentions: this.readMentionsIn(text) };
    return this.last.mentions;
  }

  /** The same end is looked at for each declaration. */
  private last: { readonly text: string; readonly mentions: readonly Mention[] | undefined } | undefined;

  private readMentionsIn(text: string): readonly Mention[] | undefined {
    const tokens = this.declarations.read(text);
    if (!tokens) return undefined;
    const { word, words, sign, count } = tokens;
    const seen = new Set(this.namespaces.visibleFrom(0));
    for (const [, name] of directivesIn(tokens))
      for (const path of this.namespaces.withName(this.wordOf(words[name]))) seen.add(path);
    for (let at = 0; at + 1 < count; at++) {
      // `namespace a::b {`
      const isInside = words[word[at]!] === 'namespace' && sign[at + 2] !== equals;
      for (let i = at + 1; isInside && word[i]! >= 0; i += 2)
        for (const path of this.namespaces.withName(this.wordOf(words[word[i]!])))
          for (const each of this.namespaces.visibleFrom(path)) seen.add(each);
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
    const scope = this.namespaces.aliases.get(name) ?? name;
    return this.scopes[scope] ? scope : asMember;
  }
}

const asMember = -2;
const unqualified = -3;
