/** What a text needs of the declarations before it, by the words in them. */
import type { Declarations } from '../declarations.js';
import { Lookup, type Mention } from './lookup.js';
import { type Reached, type ReachOptions, Search } from './reach-search.js';

export type { Reached, ReachOptions } from './reach-search.js';

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

  /** By declaration: how many others are between a text after the declarations and it; −1 if it is not needed. */
  distances(text: string, options: ReachOptions = {}): Int32Array | undefined {
    const mentions = this.lookup.mentionsIn(text);
    const { declarations, lookup, isConditional, unnamed } = this;
    return mentions && new Search({ declarations, lookup, isConditional, ...options }).distances(mentions, unnamed);
  }

  /** Words that are declared, and mean nothing in a text after the declarations: `vector`, without `std::`. */
  unknownIn = (text: string): ReadonlySet<string> => this.lookup.unknownIn(text);

  /**
   * Removes some declarations with everything that mentions them: a declaration, or the body of a function if only that mentions them. Undefined
   * if the text after the declarations does.
   */
  without(some: readonly number[], text: string): Without | undefined {
    const { all } = this.declarations;
    const { mentions, past } = this.lookup;
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
    const isBroken = (mention: Mention): boolean => {
      const meant = this.meantBy(mention);
      return meant.length > 0 && meant.every(i => removed[i] === 1);
    };
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

  /** Everything that a word may mean in its place. */
  private meantBy({ word, targets, members }: Mention): readonly number[] {
    return members ?? [...targets, ...(this.lookup.inner[word] ?? [])];
  }

  private users: Users | undefined;

  private readUsers(): Users {
    const { all } = this.declarations;
    const { mentionAt, mentions, past } = this.lookup;
    const mentionsOf: number[][] = [];
    const inHead: number[][] = [];
    const inBody: number[][] = [];
    for (const [i, mention] of mentions.entries())
      for (const target of this.meantBy(mention)) (mentionsOf[target] ??= []).push(i);
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
