/** The namespaces of a C++ text: which of them a declaration is in, and which are visible from where. */
import { addTo } from '../../core/lists.js';
import { type Declarations, scopeSign, type Tokens } from '../declarations.js';

const equals = '='.charCodeAt(0);

const nowhere: readonly number[] = [];

/** A namespace that is not inline and has a name. */
interface Path {
  readonly name: number;
  /** The one around it, −1 for none. */
  readonly above: number;
  readonly uses: Set<number>;
}

export class Namespaces {
  /** By declaration: the namespace that it is in, by number; 0 is outside all of them. */
  readonly pathOf: Int32Array;
  /** By declaration: the first namespace with its name, which may say `inline`. */
  readonly firstScope: Int32Array;
  /** By word: the namespace that `namespace a = b;` means. */
  readonly aliases = new Map<number, number>();

  private readonly paths: Path[] = [{ name: -1, above: -1, uses: new Set() }];
  private readonly named = new Map<number, number[]>();
  private readonly visible = new Map<number, ReadonlySet<number>>();

  constructor(private readonly declarations: Declarations) {
    const { all } = declarations;
    this.pathOf = new Int32Array(all.length);
    this.firstScope = new Int32Array(all.length).fill(-1);
    this.readPaths();
  }

  get count(): number {
    return this.paths.length;
  }

  /** All with this name. */
  withName(name: number): readonly number[] {
    return this.named.get(name) ?? nowhere;
  }

  /** A definition outside its namespace (`int a::f() {…}`) is in it all the same. */
  enter(i: number, owner: number): void {
    this.pathOf[i] = Math.max(
      0,
      this.paths.findIndex(({ name }) => name === owner),
    );
  }

  /** By token: the namespace that it is in. What is used in functions is then visible around them, which finds too much and never too little. */
  readDirectives(): Int32Array {
    const { all, tokens } = this.declarations;
    const pathAt = new Int32Array(tokens.count);
    for (const [i, { kind, from, to }] of all.entries()) if (kind === 'scope') pathAt.fill(this.pathOf[i]!, from, to);
    for (const [at, name] of directivesIn(tokens))
      for (const path of this.withName(name)) this.paths[pathAt[at]!]!.uses.add(path);
    return pathAt;
  }

  /** Whether `a::b` may mean a declaration in this namespace; −1 for `::b`. */
  isIn(path: number, scope: number): boolean {
    if (scope < 0) return path === 0 || this.paths[0]!.uses.has(path);
    return this.withName(scope).some(each => each === path || this.paths[each]!.uses.has(path));
  }

  visibleFrom(path: number): ReadonlySet<number> {
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

  private readPaths(): void {
    const { all, tokens } = this.declarations;
    const known = new Map<string, number>();
    const inline = new Set<string>();
    const firsts = new Map<string, number>();
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
          addTo(this.named, name, path);
          continue;
        }
        let own = known.get(key);
        if (own === undefined) {
          known.set(key, (own = this.paths.length));
          this.paths.push({ name, above: path, uses: new Set() });
          addTo(this.named, name, own);
        }
        path = own;
      }
      this.pathOf[i] = path;
    }
  }
}

/** Where `using namespace a::b;` is, and the word for `b`. */
export function* directivesIn({ word, words, sign, count }: Tokens): Generator<readonly [at: number, name: number]> {
  for (let at = 0; at + 2 < count; at++) {
    if (words[word[at]!] !== 'using' || words[word[at + 1]!] !== 'namespace') continue;
    let last = at + 2;
    while (sign[last + 1] === scopeSign) last += 2;
    if (sign[at + 2] === scopeSign) last++;
    if (word[last]! >= 0) yield [at, word[last]!];
  }
}
