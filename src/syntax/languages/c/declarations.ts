/** The declarations of C and C++, from tokens and brackets alone. */
import {
  arrowSign,
  type Declaration,
  type DeclarationKind,
  type Declarations,
  scopeSign,
  type TokenRange,
} from '../../declarations.js';
import { type Head, HeadReader } from './heads.js';
import { notCalled } from './names.js';
import { assign, brace, colon, less, more, paren, semicolon, tilde } from './token-reader.js';
import { tokensOf } from './tokens.js';

const access = new Set(['public', 'private', 'protected']);
const orderings = 'strong_ordering weak_ordering partial_ordering less equal equivalent greater unordered';
const comparisons = orderings.split(' ');

/** What the compiler looks up by itself, if the text looks like this. */
const implied: readonly (readonly [RegExp, string])[] = [
  [/\{/, 'initializer_list'],
  [/\bfor\b/, 'begin end'],
  [/\btypeid\b/, 'type_info'],
  // A variable that nobody mentions: its constructor makes the streams.
  [/\bw?(?:cin|cout|cerr|clog)\b/, '__ioinit'],
  [/<=>/, orderings],
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
    // Two numbers are compared to a value of the library.
    impliedAt: at =>
      tokens.sign[at] === less && tokens.sign[at + 1] === assign && tokens.sign[at + 2] === more
        ? comparisons
        : undefined,
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

class Reader extends HeadReader {
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
    const types = { types: { from: parameters + 1, to: partner[parameters]! } };
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
      ...(head.operator ? { result: { from, to: parameters } } : {}),
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
}
