/** Declarations of C and C++ from their tokens, and what a text after them needs. */
import { describe, expect, it } from 'vitest';
import type { Declarations } from '../../src/syntax/declarations.js';
import { declarationsIn } from '../../src/syntax/languages/c/declarations.js';
import { Reach } from '../../src/syntax/reach/reach.js';

function read(text: string): Declarations | undefined {
  const steps = declarationsIn(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const namesIn = (text: string): readonly string[] => {
  const { all, tokens } = read(text)!;
  return all.map(({ kind, names }) => [kind, ...names.map(name => tokens.words[name]!)].join(' '));
};

/** The texts of the innermost declarations that are needed by `end`, without those that only contain others. */
function needed(before: string, end: string): readonly string[] {
  const declarations = read(before)!;
  const { all, tokens } = declarations;
  const { kept } = new Reach(declarations).rounds(end)!.at(-1)!;
  return all.flatMap(({ from, to, kind }, i) =>
    kept[i] === 1 && kind !== 'scope' ? [before.slice(tokens.start[from], tokens.end[to - 1])] : [],
  );
}

describe('declarations', () => {
  it.each([
    ['int a, *b = &a, (*c)(int);', ['plain a b c']],
    [
      'template<class T> struct s<T*> : base<T> { int m; void f() const { g(); } };',
      ['class s', 'field m', 'function f'],
    ],
    ['enum { one, two = 2 };', ['plain one two']],
    ['typedef struct { int x; } pair_t;', ['class pair_t', 'field x']],
    ['inline namespace v2 __attribute__((x)) { template<class T> using u = T; }', ['scope v2', 'plain u']],
    ['extern "C" { int f(int); }', ['scope', 'function f']],
    ['template<class T> void a<T>::f() try { } catch (...) { } int z;', ['special f', 'plain z']],
    ['template<class T> requires requires(T t) { t.x(); } int f(T) { return 1; }', ['function f']],
    ['struct s { s() : a{1}, b(2) {} ~s(); int a, b; };', ['class s', 'special', 'field', 'field a b']],
    ['template<> inline constexpr bool v<int> = true;', ['plain v']],
    ['bool operator()(int a) { return a < 1; } int x;', ['special', 'plain x']],
    ['struct s final {} inline constexpr x{};', ['class s x']],
    ['enum class byte : unsigned char;', ['plain byte']],
    ["const char* s = R\"({)\"; char c = '{'; int n = 1'000;", ['plain s', 'plain c', 'plain n']],
  ])('%s', (text, expected) => {
    expect(namesIn(text)).toEqual(expected);
  });

  it('there are none if the brackets of a text do not match', () => {
    expect(read('int f() { (')).toBeUndefined();
    expect(read('int f() { ] }')).toBeUndefined();
  });
});

describe('reach', () => {
  it('a name means what is declared in its namespace, and not what another one declares', () => {
    const before = 'namespace a { int f(); namespace b { int f(); } }\nnamespace c { int f(); }\n';
    expect(needed(before, 'int x = a::f();')).toEqual(['int f();']);
    const declarations = read(before)!;
    const { kept } = new Reach(declarations).rounds('int x = c::f();')!.at(-1)!;
    expect([...kept]).toEqual([0, 0, 0, 0, 1, 1]);
  });

  it('a member is kept if its class is kept and its name is mentioned', () => {
    const before = 'struct u {};\nstruct s { int size(); u other(); };\nstruct t { int size(); };\n';
    expect(needed(before, 'int f(s& a) { return a.size(); }')).toEqual([
      'struct s { int size(); u other(); };',
      'int size();',
    ]);
  });

  it('one of several functions with a name is kept only if its types are', () => {
    const before = 'struct u {};\nstruct s {};\nvoid swap(u&, u&);\nvoid swap(s&, s&);\n';
    expect(needed(before, 'void f(s& a) { swap(a, a); }')).toEqual(['struct s {};', 'void swap(s&, s&);']);
  });

  it('if nothing says which one is meant, a name still means one of them', () => {
    const before = 'struct p { p(const char*); };\nbool is(p);\nbool is(p, int);\n';
    expect(needed(before, 'bool b = is("a");')).toContain('bool is(p);');
  });

  it('a using directive in the text makes the names of a namespace visible', () => {
    const before = 'namespace a { struct s {}; }\n';
    expect(needed(before, 'using namespace a; s x;')).toEqual(['struct s {};']);
    expect(needed(before, 's x;')).toEqual([]);
    expect(needed(before, 'namespace b = a; b::s x;')).toEqual(['struct s {};']);
  });

  it('an operator is needed if its types are there, also if a class is defined together with a constant', () => {
    const before = 'struct copy {} inline constexpr x{};\nstruct s {};\ninline bool operator==(s, s);\n';
    expect(needed(before, 's a;')).toEqual(['struct s {};', 'inline bool operator==(s, s);']);
  });

  it('a coroutine needs what the compiler looks up for it', () => {
    const before = `namespace std {
template<class, class...> struct coroutine_traits {};
template<class> struct coroutine_handle { static int other(); };
struct suspend_never { bool await_ready(); int unused(); };
}
`;
    const end = 'int f() { std::suspend_never a; co_return; }';
    expect(needed(before, end)).toEqual([
      'template<class, class...> struct coroutine_traits {};',
      'template<class> struct coroutine_handle { static int other(); };',
      'struct suspend_never { bool await_ready(); int unused(); };',
      'bool await_ready();',
    ]);
    expect(needed(before, 'int f() { return 1; }')).toEqual([]);
  });

  it('an operator that is only made visible is not needed', () => {
    expect(needed('struct s {};\nnamespace a { using ::operator<<; int f(); }\n', 'int x = a::f();')).toEqual([
      'int f();',
    ]);
  });

  it('what mentions a removed declaration goes too: a declaration by its head, and of a function only its body', () => {
    const before = 'struct s {};\nstruct t : s {};\nint f(t);\nint g() { s x; return 1; }\n';
    const reach = new Reach(read(before)!);
    const without = reach.without([0], 'int y = g();')!;
    expect([...without.removed]).toEqual([1, 1, 1, 0]);
    expect([...without.emptied]).toEqual([0, 0, 0, 1]);
    expect(reach.without([0], 's z;')).toBeUndefined();
  });
});
