/** What a text needs of the declarations before it, by the words in them. */
import { addTo } from '../core/lists.js';
import type { Declarations } from './declarations.js';
import { Lookup, type Mention } from './lookup.js';

/** The declarations that are kept, and those of them that are kept with their bodies. */
export interface Reached {
  readonly kept: Uint8Array;
  readonly bodies: Uint8Array;
}

export interface ReachOptions {
  /** With all members of a class that is needed. */
  readonly isWide?: boolean;
  /** By declaration: functions whose bodies are empty, however far the search goes. */
  readonly emptied?: Uint8Array;
  /** By declaration: those that are not there. */
  readonly removed?: Uint8Array;
  /** Declarations that are needed too, whoever mentions them. */
  readonly roots?: readonly number[];
  /** By declaration: classes without members, and without those that they inherit from. */
  readonly hollow?: Uint8Array;
}

/** Declarations that are removed, and functions that lose their bodies. */
export interface Without {
  readonly removed: Uint8Array;
  readonly emptied: Uint8Array;
}

export class Reach {
  private readonly lookup: Lookup;
  private readonly isConditional: Uint8Array;
  /** Operators and others that nobody mentions by a name. */
  private readonly unnamed: readonly number[];

  constructor(private readonly declarations: Declarations) {
    const { all } = declarations;
    this.lookup = new Lookup(declarations);
    this.isConditional = Uint8Array.from(all, (_, i) => Number(this.needsTypes(i)));
    // `using ::operator<<;` is no operator, and an error if there is none.
    this.unnamed = [...all.keys()].filter(i => {
      const { names, kind } = all[i]!;
      return names.length === 0 && kind !== 'scope' && kind !== 'plain' && !this.lookup.isMember(i);
    });
  }

  /**
   * What a text after the declarations needs of them: first without the bodies of functions, then with the bodies of
   * those functions, then of the functions that these mention, until there are no more. Undefined if the brackets of the text
   * do not match.
   */
  rounds(text: string, options: ReachOptions = {}): readonly Reached[] | undefined {
    const mentions = this.lookup.mentionsIn(text);
    const { declarations, lookup, isConditional, unnamed } = this;
    return mentions && new Search({ declarations, lookup, isConditional, ...options }).rounds(mentions, unnamed);
  }

  /**
   * Removes some declarations with everything that mentions them: a declaration, or the body of a function if only that mentions them. Undefined
   * if the text after the declarations does.
   */
  without(some: readonly number[], text: string): Without | undefined {
    const { all } = this.declarations;
    const { mentions, inner, past } = this.lookup;
    const removed = new Uint8Array(all.length);
    const emptied = new Uint8Array(all.length);
    const isGone = new Uint8Array(mentions.length);
    const open: number[] = [];
    const remove = (i: number): void => {
      // A class that is only declared, and its specialisations, are of no use without it.
      if (removed[i] === 0 && all[i]!.kind === 'class' && !all[i]!.types)
        for (const other of this.lookup.sameName(i)) removeOne(other);
      removeOne(i);
    };
    const removeOne = (i: number): void => {
      for (let one = i; one < past[i]!; one++) {
        if (removed[one] === 1) continue;
        removed[one] = 1;
        open.push(one);
      }
    };
    const isBroken = ({ word, targets }: Mention): boolean =>
      (targets.length > 0 || inner[word] !== undefined) &&
      targets.every(i => removed[i] === 1) &&
      (inner[word] ?? []).every(i => removed[i] === 1);
    for (const i of some) remove(i);
    this.users ??= this.readUsers();
    for (let i = open.pop(); i !== undefined; i = open.pop()) {
      for (const mention of this.users.mentionsOf[i] ?? []) {
        if (isGone[mention] === 1 || !isBroken(mentions[mention]!)) continue;
        isGone[mention] = 1;
        for (const user of this.users.inHead[mention] ?? []) remove(user);
        for (const user of this.users.inBody[mention] ?? [])
          if (all[user]!.needsBody) remove(user);
          else emptied[user] = 1;
      }
    }
    return this.lookup.mentionsIn(text)!.some(isBroken) ? undefined : { removed, emptied };
  }

  /** Whether it says something about a class that is declared elsewhere: a specialisation, or how its arguments are deduced. */
  belongsToClass(i: number): boolean {
    const { all } = this.declarations;
    if (all[i]!.kind === 'class') return all[i]!.types !== undefined;
    return this.lookup.sameName(i).some(other => all[other]!.kind === 'class');
  }

  /** Declarations that the text cannot be without, because a word in it, or in the head of another one, means nothing else. */
  required(text: string): Uint8Array {
    const { all } = this.declarations;
    const { mentionAt, mentions, past } = this.lookup;
    const found = new Uint8Array(all.length);
    const open: number[] = [];
    const answer = ({ targets }: Mention): void => {
      const primary = targets.filter(i => !all[i]!.types || all[i]!.kind === 'function');
      const isOne = primary.length === 1 || primary.every(i => all[i]!.kind === 'class');
      for (const i of isOne ? primary : []) {
        if (found[i] === 1) continue;
        found[i] = 1;
        open.push(i);
      }
    };
    for (const mention of this.lookup.mentionsIn(text) ?? []) answer(mention);
    for (let i = open.pop(); i !== undefined; i = open.pop()) {
      const { from, to, opens } = all[i]!;
      const end = past[i]! > i + 1 ? all[i + 1]!.from : (opens ?? to);
      for (let at = from; at < end; at++) if (mentionAt[at]! >= 0) answer(mentions[mentionAt[at]!]!);
    }
    return found;
  }

  private users: Users | undefined;

  private readUsers(): Users {
    const { all } = this.declarations;
    const { mentionAt, mentions, past, inner } = this.lookup;
    const mentionsOf: number[][] = [];
    const inHead: number[][] = [];
    const inBody: number[][] = [];
    for (const [i, { targets, word }] of mentions.entries())
      for (const target of [...targets, ...(inner[word] ?? [])]) (mentionsOf[target] ??= []).push(i);
    for (const [i, { kind, from, to, body, opens }] of all.entries()) {
      if (kind === 'scope') continue;
      const add = (lists: number[][], start: number, end: number): void => {
        for (let at = start; at < end; at++) {
          const mention = mentionAt[at]!;
          if (mention >= 0 && lists[mention]?.at(-1) !== i) (lists[mention] ??= []).push(i);
        }
      };
      let at = from;
      for (let child = i + 1; child < past[i]!; child = past[child]!) {
        add(inHead, at, all[child]!.from);
        at = all[child]!.to;
      }
      add(inHead, at, body ? opens! : to);
      if (body) add(inBody, opens!, to);
    }
    return { mentionsOf, inHead, inBody };
  }

  /** It is one of many with its name, and not meant unless its types are there. */
  private needsTypes(i: number): boolean {
    const { kind, isFriend, names } = this.declarations.all[i]!;
    if (isFriend && names.length > 0) return this.lookup.isOverloaded(i);
    return !this.lookup.isMember(i) && (kind !== 'function' || this.lookup.isOverloaded(i));
  }
}

/** By declaration, the mentions that may mean it; by mention, the declarations in which it is. */
interface Users {
  readonly mentionsOf: readonly (readonly number[] | undefined)[];
  readonly inHead: readonly (readonly number[] | undefined)[];
  readonly inBody: readonly (readonly number[] | undefined)[];
}

interface Searched extends ReachOptions {
  readonly declarations: Declarations;
  readonly lookup: Lookup;
  readonly isConditional: Uint8Array;
}

/** One search through the needs of a text. */
class Search {
  private readonly kept: Uint8Array;
  private readonly bodies: Uint8Array;
  /** By word: it is mentioned somewhere; a type with this name is kept. */
  private readonly isMentioned: Uint8Array;
  private readonly isThere: Uint8Array;
  /** By mention. */
  private readonly isSeen: Uint8Array;
  private readonly open: number[] = [];
  private readonly waiting = new Map<number, { readonly i: number; readonly isDistant: boolean }[]>();
  private unanswered: Mention[] = [];

  constructor(private readonly searched: Searched) {
    const { all, tokens } = searched.declarations;
    this.kept = new Uint8Array(all.length);
    this.bodies = new Uint8Array(all.length);
    this.isMentioned = new Uint8Array(tokens.words.length);
    this.isThere = new Uint8Array(tokens.words.length);
    this.isSeen = new Uint8Array(searched.lookup.mentions.length);
  }

  rounds(mentions: readonly Mention[], unnamed: readonly number[]): readonly Reached[] {
    const { all } = this.searched.declarations;
    for (const mention of mentions) this.answer(mention);
    for (const i of this.searched.roots ?? []) this.need(i);
    for (const i of unnamed) this.consider(i, false);
    this.settle();
    const found: Reached[] = [this.snapshot()];
    for (;;) {
      const more = [...all.keys()].filter(i => this.kept[i] === 1 && this.bodies[i] === 0 && this.mayHaveBody(i));
      if (more.length === 0) return found;
      for (const i of more) {
        const { from, body, owner } = all[i]!;
        this.bodies[i] = 1;
        this.read(owner === undefined ? body!.from : from, body!.to);
      }
      this.settle();
      found.push(this.snapshot());
    }
  }

  private mayHaveBody = (i: number): boolean =>
    this.searched.declarations.all[i]!.body !== undefined && this.searched.emptied?.[i] !== 1;

  private snapshot = (): Reached => ({ kept: this.kept.slice(), bodies: this.bodies.slice() });

  private need(i: number): void {
    const { declarations, lookup } = this.searched;
    if (i < 0 || this.kept[i] === 1 || this.searched.removed?.[i] === 1) return;
    this.kept[i] = 1;
    this.open.push(i);
    const { kind, names } = declarations.all[i]!;
    if ((kind !== 'class' && kind !== 'plain') || lookup.isMember(i)) return;
    for (const name of names) {
      if (this.isThere[name] === 1) continue;
      this.isThere[name] = 1;
      const waiting = this.waiting.get(name);
      this.waiting.delete(name);
      for (const one of waiting ?? []) this.consider(one.i, one.isDistant);
    }
  }

  /** Keeps a declaration that a word may mean, if its class and its types are there. */
  private consider(i: number, isDistant: boolean): void {
    if (this.kept[i] === 1) return;
    const { declarations, lookup, isConditional, isWide = false } = this.searched;
    const { within, names, kind, isFriend } = declarations.all[i]!;
    if (lookup.isMember(i) && this.searched.hollow?.[within] === 1) return;
    if (lookup.isMember(i) && !isFriend) {
      if (this.kept[within] === 0) return;
      const isAlways = names.length === 0 || kind === 'field' || isWide;
      if (!isAlways && !names.some(name => this.isMentioned[name] === 1)) return;
    }
    const types = lookup.types[i]!;
    if (isDistant && types.length === 0) return;
    const lacking = isDistant || isConditional[i] === 1 ? types.find(each => this.isThere[each] === 0) : undefined;
    if (lacking === undefined) this.need(i);
    else addTo(this.waiting, lacking, { i, isDistant });
  }

  private answer(mention: Mention): void {
    const { scopes, past, inner } = this.searched.lookup;
    const { word, targets, distant } = mention;
    for (const i of targets) this.consider(i, false);
    for (const i of distant) this.consider(i, true);
    if (targets.length > 0) this.unanswered.push(mention);
    const named = scopes[word];
    // Other names for a namespace contain nothing.
    for (const i of named ?? []) if (i === named![0] || past[i] === i + 1) this.need(i);
    if (this.isMentioned[word] === 1) return;
    this.isMentioned[word] = 1;
    for (const i of inner[word] ?? []) this.consider(i, false);
  }

  private read(from: number, to: number): void {
    const { mentionAt, mentions } = this.searched.lookup;
    for (let at = from; at < to; at++) {
      const mention = mentionAt[at]!;
      if (mention < 0 || this.isSeen[mention] === 1) continue;
      this.isSeen[mention] = 1;
      this.answer(mentions[mention]!);
    }
  }

  /** The words of a declaration outside those that it contains. */
  private readOwn(i: number, to: number): void {
    const { all } = this.searched.declarations;
    const { past } = this.searched.lookup;
    let at = all[i]!.from;
    for (let child = i + 1; child < past[i]! && all[child]!.from < to; child = past[child]!) {
      this.read(at, all[child]!.from);
      at = all[child]!.to;
    }
    this.read(Math.min(at, to), to);
  }

  private settle(): void {
    do this.drain();
    while (this.answerOthers());
  }

  private drain(): void {
    const { declarations, emptied, hollow } = this.searched;
    const { all } = declarations;
    const { past, firstScope, membersOf } = this.searched.lookup;
    for (let i = this.open.pop(); i !== undefined; i = this.open.pop()) {
      const { kind, within, body, opens, to, needsBody, owner, contents } = all[i]!;
      this.need(within);
      if (hollow?.[i] === 1) {
        this.readOwn(i, contents!.from);
        this.read(contents!.to, to);
        continue;
      }
      if (kind === 'scope') {
        this.need(firstScope[i]!);
        if (past[i] === i + 1) this.readOwn(i, to);
        continue;
      }
      const isWhole = body === undefined || needsBody === true;
      if (isWhole) this.bodies[i] = 1;
      const isEmptied = emptied?.[i] === 1;
      // Outside its class, it is a definition or nothing.
      if (!isWhole && owner !== undefined && !isEmptied) continue;
      this.readOwn(i, isWhole ? to : isEmptied ? opens! : body.from);
      for (const member of membersOf[i]!) this.consider(member, false);
    }
  }

  /** A word that means something means at least one of its declarations: those that lack the fewest types. */
  private answerOthers(): boolean {
    const left = this.unanswered.filter(({ targets }) => targets.every(i => this.kept[i] === 0));
    this.unanswered = [];
    const { types } = this.searched.lookup;
    const lackingOf = (i: number): number => types[i]!.filter(each => this.isThere[each] === 0).length;
    for (const { targets } of left) {
      const least = Math.min(...targets.map(lackingOf));
      for (const i of targets) if (lackingOf(i) === least) this.need(i);
    }
    return left.length > 0;
  }
}
