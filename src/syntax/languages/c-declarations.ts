/** The declarations of C and C++, from tokens and brackets alone. */
import {
  arrowSign,
  type Declaration,
  type DeclarationKind,
  type Declarations,
  scopeSign,
  type TokenRange,
} from '../declarations.js';
import {
  and,
  assign,
  brace,
  close,
  colon,
  comma,
  less,
  more,
  paren,
  semicolon,
  square,
  star,
  TokenReader,
  tilde,
} from './c-token-reader.js';
import { tokensOf } from './c-tokens.js';

/** Words before brackets that are not the parameters of a function. */
const notCalled = new Set(
  '__attribute__ __attribute alignas _Alignas __declspec decltype noexcept sizeof alignof requires explicit throw asm __asm__ __asm typeof __typeof__ __typeof if while for switch static_assert _Static_assert'.split(
    ' ',
  ),
);
/** Words that may be where a name may be. */
const reserved = new Set(
  'auto bool char char8_t char16_t char32_t const consteval constexpr constinit double extern float inline int long mutable noexcept override register short signed static thread_local typename unsigned void volatile wchar_t __extension__ __inline __restrict __thread'.split(
    ' ',
  ),
);
const attributes = new Set(['__attribute__', '__attribute']);
const classWords = new Set(['class', 'struct', 'union']);
const access = new Set(['public', 'private', 'protected']);
/** What the compiler looks up by itself, if the text looks like this. */
const implied: readonly (readonly [RegExp, string])[] = [
  [/\{/, 'initializer_list'],
  [/\bfor\b/, 'begin end'],
  [/\btypeid\b/, 'type_info'],
  [/<=>/, 'strong_ordering weak_ordering partial_ordering'],
  [
    /\bco_(?:await|yield|return)\b/,
    'coroutine_traits coroutine_handle promise_type get_return_object initial_suspend final_suspend unhandled_exception return_void return_value yield_value await_transform await_ready await_suspend await_resume',
  ],
  [/\bauto\s*(?:const\s*)?&{0,2}\s*\[/, 'tuple_size tuple_element get'],
];

/** Nesting that is deeper is not taken apart. */
const deepest = 100;

/** A function that the compiler evaluates is usually short; what is longer is called when the program runs. */
const shortBody = 200;

export function* declarationsIn(text: string): Generator<void, Declarations | undefined> {
  const tokens = yield* tokensOf(text);
  if (!tokens) return undefined;
  const all: Declaration[] = [];
  const reader = new Reader(tokens);
  function* read({ from, to }: TokenRange, within: number, inClass: number, depth: number): Generator<void> {
    for (let at = from; at < to; ) {
      if (all.length % 1_000 === 0) yield;
      at = reader.skipNothing(at, to, inClass >= 0);
      if (at >= to) return;
      const { inside, name, ...one } = reader.declaration(at, to, inClass);
      const self = all.length;
      all.push({ ...one, names: reader.namesIn(one.names), within });
      at = one.to;
      if (inside && depth < deepest) yield* read(inside, self, one.kind === 'class' ? (name ?? 0) : -1, depth + 1);
    }
  }
  yield* read({ from: 0, to: tokens.count }, -1, -1, 0);
  return {
    tokens,
    all,
    read: other => readAll(tokensOf(other)),
    implied: other => implied.flatMap(([looks, words]) => (looks.test(other) ? words.split(' ') : [])),
  };
}

function readAll<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

interface Read extends Omit<Declaration, 'within'> {
  /** The tokens between its braces, if they are declarations. */
  readonly inside?: TokenRange;
  /** The name of a class. */
  readonly name?: number | undefined;
}

/** What is known about the tokens of a declaration so far. */
interface Head {
  /** The name of the class around it, or −1. */
  readonly inClass: number;
  classAt: number;
  enumAt: number;
  /** The bracket of a function's parameters. */
  parameters: number;
  /** The word before it. */
  called: number;
  operator: boolean;
  assigned: boolean;
  /** The colon before what a constructor initialises, or before the classes that a class inherits from. */
  colon: number;
  depth: number;
  template: TokenRange | undefined;
}

class Reader extends TokenReader {
  /** Without the words of `struct a {} inline constexpr b;` that name nothing. */
  namesIn = (words: readonly number[]): readonly number[] =>
    words.some(word => reserved.has(this.tokens.words[word]!))
      ? words.filter(word => !reserved.has(this.tokens.words[word]!))
      : words;

  /** Past semicolons and `public:`. */
  skipNothing(from: number, to: number, inClass: boolean): number {
    const { sign } = this.tokens;
    let at = from;
    for (; at < to; at++) {
      if (sign[at] === semicolon) continue;
      if (inClass && access.has(this.wordAt(at) ?? '') && sign[at + 1] === colon) {
        at++;
        continue;
      }
      break;
    }
    return at;
  }

  declaration(from: number, to: number, inClass: number): Read {
    const { sign, partner, word } = this.tokens;
    const first = this.firstWord(from, to);
    if (first === 'namespace' || (first === 'inline' && this.is(from + 1, 'namespace'))) {
      const open = this.find(from, to, brace);
      if (open >= 0) {
        const names = this.scopeNames(from, open);
        return {
          kind: 'scope',
          from,
          to: partner[open]! + 1,
          names,
          inside: { from: open + 1, to: partner[open]! },
        };
      }
      // Another name for a namespace.
      if (sign[from + 2] === assign)
        return { kind: 'scope', from, to: Math.min(to, this.endOf(from, to) + 1), names: [word[from + 1]!] };
    }
    if (first === 'extern' && word[from + 1] === -1 && sign[from + 1] === 0 && sign[from + 2] === brace) {
      const end = partner[from + 2]!;
      return { kind: 'scope', from, to: end + 1, names: [], inside: { from: from + 3, to: end } };
    }
    const head: Head = {
      inClass,
      classAt: -1,
      enumAt: -1,
      parameters: -1,
      called: -1,
      operator: false,
      assigned: false,
      colon: -1,
      depth: 0,
      template: undefined,
    };
    let classBody = -1;
    let at = from;
    for (; at < to && sign[at] !== semicolon; at++) {
      if (sign[at] === brace) {
        if (this.isBody(at, head)) return this.functionOf({ from, to }, at, head);
        if (head.classAt >= 0 && head.parameters < 0 && !head.assigned && classBody < 0) classBody = at;
        at = partner[at]!;
      } else at = this.step(at, from, head, classBody >= 0);
    }
    const end = Math.min(to, at + 1);
    if (classBody >= 0) return this.classOf(from, classBody, end, head);
    if (head.parameters >= 0) return this.functionOf({ from, to: end }, -1, head);
    return this.plainOf(from, end, head);
  }

  /** One token of a head, or a bracket with everything in it; returns the last token that was read. */
  private step(at: number, from: number, head: Head, isPast: boolean): number {
    const { sign, partner, word } = this.tokens;
    const each = this.wordAt(at);
    if (each === 'template' && sign[at + 1] === less) {
      const end = this.anglesEnd(at + 1);
      if (end < 0) return at;
      head.template = { from: head.template?.from ?? at + 2, to: end };
      return end;
    }
    if (each === 'operator' && head.parameters < 0 && !head.assigned) {
      let open = at + 1;
      if (sign[open] === paren) open += 2;
      while (open < this.tokens.count && sign[open] !== paren && sign[open] !== semicolon) open++;
      if (sign[open] !== paren) return at;
      Object.assign(head, { operator: true, parameters: open, called: at });
      return partner[open]!;
    }
    if (each !== undefined) {
      if (isPast || head.assigned || head.parameters >= 0 || head.depth > 0) return at;
      if (classWords.has(each) && head.colon < 0) head.classAt = at;
      if (each === 'enum') head.enumAt = at;
      return at;
    }
    switch (sign[at]) {
      case less:
        if (!head.assigned && (word[at - 1] ?? -1) >= 0 && head.parameters < 0) head.depth++;
        return at;
      case more:
        if (head.depth > 0) head.depth--;
        return at;
      case assign:
        if (head.depth === 0) head.assigned = true;
        return at;
      case colon:
        if (head.depth === 0 && head.colon < 0) head.colon = at;
        return at;
      case square:
        return partner[at]!;
      case paren:
        if (head.parameters < 0 && !head.assigned && head.depth === 0 && at > from) this.call(at, head);
        return partner[Math.max(at, head.parameters)]!;
      default:
        return at;
    }
  }

  /** Brackets after a word, which are parameters unless the word says otherwise. */
  private call(at: number, head: Head): void {
    const { sign, word, partner } = this.tokens;
    const inner = sign[at + 1];
    if (inner === star || inner === and || (word[at + 1]! >= 0 && sign[at + 2] === scopeSign && sign[at + 3] === star))
      return;
    if (head.classAt >= 0 && head.colon >= 0) return;
    // `int (f)(int)`, so that `f` is no macro.
    if (word[at + 1]! >= 0 && partner[at] === at + 2 && sign[at + 3] === paren) {
      Object.assign(head, { parameters: at + 3, called: at + 1 });
      return;
    }
    let named = at - 1;
    if (sign[named] === more) named = this.anglesStart(named) - 1;
    if ((word[named] ?? -1) < 0 || notCalled.has(this.wordAt(named)!)) return;
    Object.assign(head, { parameters: at, called: named });
  }

  /** Whether a brace opens the body of a function. */
  private isBody(at: number, head: Head): boolean {
    const { sign, partner, word } = this.tokens;
    if (head.parameters < 0 || head.assigned) return false;
    const before = at - 1;
    if (sign[before] === close && this.is(partner[before]! - 1, 'requires')) return false;
    if (this.is(before, 'requires')) return false;
    const isInitialised = head.colon > head.parameters && (word[before]! >= 0 || sign[before] === more);
    return !isInitialised || this.is(before, 'try');
  }

  private functionOf({ from, to }: TokenRange, open: number, head: Head): Read {
    const { sign, partner, word } = this.tokens;
    const { called, parameters, inClass } = head;
    const name = word[called]!;
    let end = to;
    if (open >= 0) {
      end = partner[open]! + 1;
      while (this.is(end, 'catch') && sign[end + 1] === paren) {
        const block = partner[end + 1]! + 1;
        if (sign[block] !== brace) break;
        end = partner[block]! + 1;
      }
    }
    const start = head.colon > parameters && head.colon < open ? head.colon : open;
    const isTried = this.is(start - 1, 'try');
    const first = isTried ? start - 1 : start;
    // Compilers refuse a constant function without a value.
    const shortestBody = this.has(from, parameters, 'constexpr') && name !== inClass ? '{throw 0;}' : '{}';
    const body = open < 0 ? {} : { body: { from: first, to: end }, opens: isTried ? first : open, shortestBody };
    // Nobody mentions an operator, so its result must be known too.
    const types = { types: { from: head.operator ? from : parameters + 1, to: partner[parameters]! } };
    const isDestructor = sign[called - 1] === tilde;
    const scope = isDestructor ? called - 2 : called - 1;
    const owner = sign[scope] === scopeSign ? this.ownerBefore(scope) : undefined;
    const isFriend = this.has(from, Math.max(from, called), 'friend');
    const isSpecial =
      head.operator || owner !== undefined || isFriend || name === inClass || this.isSpecialised(called, parameters);
    const kind: DeclarationKind = isDestructor && owner === undefined ? 'field' : isSpecial ? 'special' : 'function';
    // A friend with attributes must be a definition.
    const needsBody = open >= 0 && (isFriend || this.needsBody(from, open, end, head));
    return {
      kind,
      from,
      to: end,
      names: head.operator || (name === inClass && inClass >= 0) ? [] : [name],
      ...(isSpecial && owner === undefined && !head.operator && isFriend ? { types: { from, to: called } } : types),
      ...(owner === undefined ? {} : { owner }),
      ...(isFriend && open >= 0 ? { isFriend } : {}),
      ...body,
      ...(needsBody ? { needsBody } : {}),
    };
  }

  /** `auto f() {…}`, and a short function that may be part of a constant. */
  private needsBody(from: number, open: number, end: number, { parameters, template }: Head): boolean {
    const { start, sign } = this.tokens;
    const head = template && template.to < parameters ? template.to : from;
    if (this.has(head, parameters, 'auto') && !this.hasSign(parameters, open, arrowSign)) return true;
    if (this.has(from, parameters, 'consteval')) return true;
    const isShort = start[end - 1]! - start[open]! <= shortBody || template === undefined;
    // Without parameters and without an object, its value is a constant.
    const isConstant = this.tokens.partner[parameters] === parameters + 1 && this.has(from, parameters, 'static');
    return (isShort || isConstant) && this.has(from, parameters, 'constexpr') && sign[open] === brace;
  }

  private classOf(from: number, open: number, to: number, head: Head): Read {
    const { sign, partner, word } = this.tokens;
    const names: number[] = [];
    let named = -1;
    for (let at = head.classAt + 1; at < open && sign[at] !== colon; at++) {
      if (partner[at]! > at) at = partner[at]!;
      else if (sign[at] === less) break;
      else if (word[at]! >= 0 && !this.is(at, 'final') && !notCalled.has(this.wordAt(at)!)) named = at;
    }
    const last = head.colon > head.classAt && head.colon < open ? head.colon : open;
    const isSpecial = named >= 0 && sign[named + 1] === less;
    const owner = named >= 0 && sign[named - 1] === scopeSign ? this.ownerBefore(named - 1) : undefined;
    if (named >= 0) names.push(word[named]!);
    for (let at = partner[open]! + 1; at < to; at++) {
      if (partner[at]! > at) at = partner[at]!;
      else if (word[at]! >= 0 && !notCalled.has(this.wordAt(at)!)) names.push(word[at]!);
    }
    const isAnonymous = names.length === 0;
    return {
      kind: 'class',
      from,
      to,
      names,
      ...(isSpecial ? { types: { from: named + 1, to: last } } : {}),
      ...(owner === undefined ? {} : { owner }),
      // What is in a class without a name belongs to what is around it.
      ...(isAnonymous
        ? {}
        : { inside: { from: open + 1, to: partner[open]! }, contents: { from: last, to: partner[open]! + 1 } }),
      name: named >= 0 ? word[named]! : undefined,
    };
  }

  private plainOf(from: number, to: number, head: Head): Read {
    const { sign, word } = this.tokens;
    const { inClass } = head;
    const first = this.firstWord(from, to);
    const whole = { types: { from, to } };
    const isInstantiation =
      (first === 'template' && sign[from + 1] !== less) || (first === 'extern' && this.is(from + 1, 'template'));
    if (
      isInstantiation ||
      first === 'static_assert' ||
      first === '_Static_assert' ||
      this.has(from, from + 12, 'friend')
    )
      return { kind: 'special', from, to, names: [], ...whole };
    const using = this.usingAt(from, to);
    if (using >= 0) {
      if (this.is(using + 1, 'namespace')) return { kind: 'special', from, to, names: [], ...whole };
      const name = head.assigned ? using + 1 : to - 2;
      return { kind: 'plain', from, to, names: word[name]! >= 0 ? [word[name]!] : [] };
    }
    const special = head.template ? this.specialisedIn(head.template.to + 1, to) : undefined;
    if (special) return { kind: 'plain', from, to, ...special };
    const names = this.declaredIn(from, to, head);
    if (names.length === 0 && inClass < 0) return { kind: 'special', from, to, names, ...whole };
    const isForward = head.classAt >= 0 && sign[head.classAt + 2] === semicolon;
    const isField =
      inClass >= 0 && head.enumAt < 0 && !isForward && first !== 'typedef' && !this.has(from, to, 'static');
    return { kind: isField || names.length === 0 ? 'field' : 'plain', from, to, names };
  }

  /** The name and the types in `template<> bool a<int> = true;`. */
  private specialisedIn(
    from: number,
    to: number,
  ): { readonly names: readonly number[]; readonly types: TokenRange } | undefined {
    const { sign, word } = this.tokens;
    for (let at = from; at < to && sign[at] !== assign; at++) {
      if (sign[at] !== less || (word[at - 1] ?? -1) < 0) continue;
      const end = this.anglesEnd(at);
      if (end < 0) return undefined;
      if (sign[end + 1] === assign || sign[end + 1] === semicolon || sign[end + 1] === brace)
        return { names: [word[at - 1]!], types: { from: at, to: end } };
      at = end;
    }
    return undefined;
  }

  /** The names in `int a, *b = c, (*d)(int);`, with the constants of an enumeration. */
  private declaredIn(from: number, to: number, head: Head): readonly number[] {
    const { sign, word, partner } = this.tokens;
    const names: number[] = [];
    let depth = 0;
    let isValue = false;
    for (let at = from; at < to; at++) {
      if (this.is(at, 'template') && sign[at + 1] === less) {
        const end = this.anglesEnd(at + 1);
        if (end >= 0) at = end;
        continue;
      }
      if (sign[at] === less && word[at - 1]! >= 0 && !isValue) depth++;
      if (sign[at] === more && depth > 0) depth--;
      if (sign[at] === assign && depth === 0) {
        if (head.template) break;
        isValue = true;
      }
      if (sign[at] === comma) isValue = false;
      if (partner[at]! > at) {
        if (sign[at] === paren && (sign[at + 1] === star || sign[at + 1] === and || sign[at + 2] === scopeSign)) {
          const name = this.lastWord(at, partner[at]!);
          if (name >= 0 && !isValue) names.push(word[name]!);
        }
        if (sign[at] === brace && head.enumAt >= 0 && at > head.enumAt) names.push(...this.enumerators(at));
        at = partner[at]!;
        continue;
      }
      if (word[at]! < 0 || at === from || depth > 0 || isValue) continue;
      const next = sign[at + 1];
      const isLast = next === semicolon || next === assign || next === comma || next === square || next === brace;
      if (isLast || next === colon || attributes.has(this.wordAt(at + 1) ?? '')) names.push(word[at]!);
    }
    return names;
  }

  private enumerators(open: number): readonly number[] {
    const { sign, partner, word } = this.tokens;
    const names: number[] = [];
    for (let at = open + 1; at < partner[open]!; at++) {
      const before = sign[at - 1];
      if (word[at]! >= 0 && (at === open + 1 || before === comma)) names.push(word[at]!);
      if (partner[at]! > at) at = partner[at]!;
    }
    return names;
  }

  private usingAt(from: number, to: number): number {
    for (let at = from; at < Math.min(to, from + 400); at++) {
      if (this.is(at, 'using')) return at;
      if (this.is(at, 'template') && this.tokens.sign[at + 1] === less) {
        const end = this.anglesEnd(at + 1);
        if (end < 0) return -1;
        at = end;
      } else return -1;
    }
    return -1;
  }

  /** The class in front of `::`. */
  private ownerBefore(scope: number): number | undefined {
    const { sign, word } = this.tokens;
    const at = sign[scope - 1] === more ? this.anglesStart(scope - 1) - 1 : scope - 1;
    return (word[at] ?? -1) >= 0 ? word[at]! : undefined;
  }

  private isSpecialised = (called: number, parameters: number): boolean => parameters > called + 1;

  /** `a` and `b` of `namespace a::b`, without attributes. */
  private scopeNames(from: number, open: number): readonly number[] {
    const { sign, word } = this.tokens;
    const names: number[] = [];
    let at = from;
    while (!this.is(at, 'namespace')) at++;
    for (at++; at < open && !notCalled.has(this.wordAt(at) ?? ''); at++) {
      if (word[at]! >= 0 && !this.is(at, 'inline')) names.push(word[at]!);
      if (word[at]! >= 0 && sign[at + 1] !== scopeSign) break;
    }
    return names;
  }
}
