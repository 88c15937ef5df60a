/** One search through what a text needs of the declarations before it. */
import { addTo, leastOf } from '../../core/lists.js';
import type { Declarations } from '../declarations.js';
import type { Lookup, Mention } from './lookup.js';

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

interface Searched extends ReachOptions {
  readonly declarations: Declarations;
  readonly lookup: Lookup;
  readonly isConditional: Uint8Array;
}

/** One search through the needs of a text. */
export class Search {
  private readonly kept: Uint8Array;
  private readonly bodies: Uint8Array;
  /** By word: it is mentioned somewhere; a type with this name is kept. */
  private readonly isMentioned: Uint8Array;
  private readonly isThere: Uint8Array;
  /** By declaration: its class mentions it. */
  private readonly isOwn: Uint8Array;
  /** By mention. */
  private readonly isSeen: Uint8Array;
  private open: number[] = [];
  private readonly distance: Int32Array;
  /** How far away the declarations are that are read now. */
  private now = 0;
  private isEager = false;
  private readonly waiting = new Map<number, { readonly i: number; readonly isDistant: boolean }[]>();
  private unanswered: Mention[] = [];

  constructor(private readonly searched: Searched) {
    const { all, tokens } = searched.declarations;
    this.kept = new Uint8Array(all.length);
    this.bodies = new Uint8Array(all.length);
    this.distance = new Int32Array(all.length).fill(-1);
    this.isMentioned = new Uint8Array(tokens.words.length);
    this.isOwn = new Uint8Array(all.length);
    this.isThere = new Uint8Array(tokens.words.length);
    this.isSeen = new Uint8Array(searched.lookup.mentions.length);
  }

  /** By declaration: how many others are between the text and it, with all bodies; −1 if it is not needed. */
  distances(mentions: readonly Mention[], unnamed: readonly number[]): Int32Array {
    this.isEager = true;
    this.begin(mentions, unnamed);
    return this.distance;
  }

  private begin(mentions: readonly Mention[], unnamed: readonly number[]): void {
    for (const mention of mentions) this.answer(mention);
    for (const i of this.searched.roots ?? []) this.need(i);
    for (const i of unnamed) this.consider(i, false);
    this.settle();
  }

  rounds(mentions: readonly Mention[], unnamed: readonly number[]): readonly Reached[] {
    const { all } = this.searched.declarations;
    this.begin(mentions, unnamed);
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
    this.distance[i] = this.now;
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
      if (!isAlways && this.isOwn[i] === 0 && !names.some(name => this.isMentioned[name] === 1)) return;
    }
    const types = lookup.types[i]!;
    if (isDistant && types.length === 0) return;
    const lacking = isDistant || isConditional[i] === 1 ? types.find(each => this.isThere[each] === 0) : undefined;
    if (lacking === undefined) this.need(i);
    else addTo(this.waiting, lacking, { i, isDistant });
  }

  private answer(mention: Mention): void {
    const { scopes, past, inner, firstScope } = this.searched.lookup;
    const { word, targets, distant, members } = mention;
    if (members) {
      for (const i of members) {
        this.isOwn[i] = 1;
        this.consider(i, false);
      }
      return;
    }
    for (const i of targets) this.consider(i, false);
    for (const i of distant) this.consider(i, true);
    if (targets.length > 0) this.unanswered.push(mention);
    // Namespaces inside others may have the same name. Other names for a namespace contain nothing.
    for (const i of scopes[word] ?? []) if (firstScope[i] === i || past[i] === i + 1) this.need(i);
    for (const other of mention.others ?? []) this.answer(other);
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
    do
      while (this.open.length > 0) {
        const next = this.open;
        this.open = [];
        this.now++;
        this.drain(next);
      }
    while (this.answerOthers());
  }

  private drain(some: readonly number[]): void {
    const { declarations, emptied, hollow } = this.searched;
    const { all } = declarations;
    const { past, firstScope, membersOf } = this.searched.lookup;
    for (const i of some) {
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
      const isWhole = body === undefined || needsBody === true || this.isEager;
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
      const least = leastOf(targets.map(lackingOf));
      for (const i of targets) if (lackingOf(i) === least) this.need(i);
    }
    return left.length > 0;
  }
}
