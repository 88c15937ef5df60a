/** What a text needs of the declarations before it. */
import { describe, expect, it } from 'vitest';
import { languageFor } from '../../src/syntax/languages/index.js';
import { Reach } from '../../src/syntax/reach/reach.js';

/** The declarations outside others that are kept, as they are written. */
function keptOf(text: string, end: string): readonly string[] {
  const steps = languageFor('a.cpp', undefined).declarations!(text);
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { all, tokens } = step.value!;
  const { kept } = new Reach(step.value!).rounds(end)!.at(-1)!;
  return all.flatMap(({ from, to, kind }, i) =>
    kept[i] === 1 && kind !== 'scope' ? [text.slice(tokens.start[from], tokens.end[to - 1])] : [],
  );
}

describe('what the end of a program reaches', () => {
  const stream = 'struct base {};\n';
  const alias = 'template<class S> using result_of = base;\n';
  const operator = 'template<class S, class T> result_of<S> operator<<(S&& s, const T& t) { return {}; }\n';

  it('an operator for any type is there only if what its head consists of is', () => {
    expect(keptOf(stream + alias + operator, 'int x;')).toEqual([]);
    expect(keptOf(stream + alias + operator, 'result_of<int> x;')).toHaveLength(3);
  });

  it('an operator for any type that consists of nothing else is always there', () => {
    expect(
      keptOf('template<class T> bool operator!=(const T& a, const T& b) { return !(a == b); }\n', ''),
    ).toHaveLength(1);
  });

  it('each namespace of a name that is mentioned is there', () => {
    const text = 'namespace a { namespace _ { int x; } }\nnamespace b { namespace _ { int y; } using namespace _; }\n';
    const steps = languageFor('a.cpp', undefined).declarations!(text);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const { all, tokens } = step.value!;
    const { kept } = new Reach(step.value!).rounds('using namespace b;')!.at(-1)!;
    const inner = [...all.keys()].filter(i => tokens.words[all[i]!.names[0]!] === '_' && all[i]!.kind === 'scope');
    expect(inner.map(i => kept[i])).toEqual([1, 1]);
  });

  it('a comparison in three ways needs the values that it may have', () => {
    const text =
      'struct strong_ordering { static const strong_ordering equal; static const strong_ordering other; };\nauto f(int a, int b) { return a <=> b; }\n';
    const kept = keptOf(text, 'auto x = f(1, 2);');
    expect(kept).toContain('static const strong_ordering equal;');
    expect(kept).not.toContain('static const strong_ordering other;');
  });

  it('a call in another namespace may mean an overload for an enumeration', () => {
    const text =
      'namespace a {\nenum one { first, second };\nenum class two { third };\nint code(one x);\nint code(two x);\n}\nint code(int x);\ntemplate<class T> int make(T x) { return code(x); }\n';
    const kept = keptOf(text, 'int x = make(a::first);');
    expect(kept).toContain('int code(one x);');
    expect(kept).not.toContain('int code(two x);');
  });

  it('what prints needs the variable that makes the streams', () => {
    const text = 'struct init {};\nstatic init __ioinit;\nint cout;\n';
    expect(keptOf(text, 'int x = cout;')).toHaveLength(3);
    expect(keptOf(text, 'int x;')).toEqual([]);
  });

  it('an operator is there if the types of its parameters are, whatever its result is', () => {
    const text = `struct shown {};
struct adapted {};
struct unrelated {};
template<class T> adapted operator|(T x, shown);
template<class T> unrelated operator+(T x, T y);
`;
    const kept = keptOf(text, 'shown x;');
    expect(kept).toContain('template<class T> adapted operator|(T x, shown);');
    expect(kept).not.toContain('template<class T> unrelated operator+(T x, T y);');
  });

  describe('a word in a class', () => {
    const outer = 'int size();\nstruct other { int size(); int length; };\n';

    it('means a member of this class, if there is one, and nothing else', () => {
      const text = `${outer}struct box { int size(); int count() { return size(); } };\n`;
      const kept = keptOf(text, 'box b; int n = b.count(); other o;');
      expect(kept).toContain('int size();');
      expect(kept.filter(each => each === 'int size();')).toHaveLength(1);
    });

    it('means a member of a class around it, but not one of a class that it inherits from', () => {
      const inside = (base: string): string =>
        `${outer}struct box { static int size(); struct inner${base} { int count() { return size(); } }; };\n`;
      const end = 'box::inner b; int n = b.count(); other o;';
      expect(keptOf(inside(''), end).filter(each => each.endsWith('int size();'))).toEqual(['static int size();']);
      expect(keptOf(inside(' : other'), end).filter(each => each.endsWith('int size();'))).toHaveLength(3);
    });

    it('means what is outside if the class only has a friend of this name', () => {
      const text = 'void swap(int);\nstruct box { friend void swap(box) {} void f() { swap(1); } };\n';
      expect(keptOf(text, 'box b; int n = b.f();')).toContain('void swap(int);');
    });

    it('means a definition outside the class too', () => {
      const text = 'struct box { struct part; part* f(); };\nstruct box::part { int x; };\n';
      expect(keptOf(text, 'box b; auto p = b.f();')).toContain('struct box::part { int x; };');
    });
  });

  it('without a member, what mentions another one of its name in its own class stays', () => {
    const text = 'struct a { int size(); };\nstruct b { int size(); int count(int = size()); };\n';
    const steps = languageFor('a.cpp', undefined).declarations!(text);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const { all, tokens } = step.value!;
    const namesOf = (i: number): string => all[i]!.names.map(name => tokens.words[name]).join();
    const removed = [...all.keys()].find(i => namesOf(i) === 'size' && namesOf(all[i]!.within) === 'a')!;
    const without = new Reach(step.value!).without([removed], '')!;
    expect([...all.keys()].filter(i => without.removed[i] === 1)).toEqual([removed]);
  });

  it('the distance of a declaration is the number of others between the text and it', () => {
    const text = 'struct a {};\nint f(a);\nstruct b { int x = f({}); };\nstruct c {};\n';
    const steps = languageFor('a.cpp', undefined).declarations!(text);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const { all, tokens } = step.value!;
    const distances = new Reach(step.value!).distances('b y;')!;
    const byName = all.map(({ names }, i) => `${tokens.words[names[0]!]} ${distances[i]}`);
    expect(byName).toEqual(['a 3', 'f 2', 'b 0', 'x 1', 'c -1']);
  });
});
