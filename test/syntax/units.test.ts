/** The declarations of a text: what they declare, what they mention, and what contains what. */
import { describe, expect, it } from 'vitest';
import { languageFor } from '../../src/syntax/languages/index.js';
import { syntaxOf } from '../../src/syntax/syntax.js';
import { type Opened, unitsOf } from '../../src/syntax/units/units.js';

async function unitsIn(path: string, text: string, large = 1_000_000, opened: Opened = []) {
  const syntax = await syntaxOf(languageFor(path, undefined));
  const units = await unitsOf(await syntax.tree(text), large, opened);
  return units.map(unit => ({ ...unit, text: text.slice(unit.start, unit.end) }));
}

describe('units', () => {
  it('a namespace contains its declarations, and a class ends with its semicolon', async () => {
    const text =
      'namespace n {\nstruct a { int b; };\nint f(a x) { return x.b; }\n}\nint main() { return n::f({}); }\n';
    const [, n, a, f, main] = await unitsIn('a.cpp', text);
    expect(n).toMatchObject({ within: 0, declares: ['n'] });
    expect(a).toMatchObject({ within: 1, text: 'struct a { int b; };' });
    expect(f).toMatchObject({ within: 1, declares: ['f'] });
    expect(f?.mentions).toContain('a');
    expect(main?.mentions).toEqual(expect.arrayContaining(['n', 'f']));
  });

  it('a specialisation declares the name once more', async () => {
    const units = await unitsIn('a.cpp', 'template<class T> struct a;\ntemplate<> struct a<int> {};\n');
    expect(units.slice(1).map(unit => unit.declares)).toEqual([['a'], ['a']]);
  });

  it('`extern template` and `[[nodiscard]] friend` do not break what follows', async () => {
    const text =
      'template<class T> bool f(T);\nextern template bool f<int>(int);\nclass a {\n  [[nodiscard]] friend bool g(const a& x) { return true; }\n};\nint b;\n';
    const units = await unitsIn('a.cpp', text);
    expect(units.map(unit => unit.text.split(/\s/)[0])).toEqual([
      'template<class',
      'template<class',
      'extern',
      'class',
      'int',
    ]);
    expect(units.every((unit, i) => unit.isFixed === (i === 0))).toBe(true);
  });

  it('words of a dialect in front of a declaration belong to it, line numbers do not', async () => {
    const text =
      'int a;\n[[nodiscard]]\n__attribute__((pure)) int f();\n# 7 "a.h" 3\nint b; __extension__ typedef long c;\n';
    const units = await unitsIn('a.cpp', text);
    expect(units.slice(1).map(unit => unit.text)).toEqual([
      'int a;',
      '[[nodiscard]]\n__attribute__((pure)) int f();',
      'int b;',
      '__extension__ typedef long c;',
    ]);
  });

  it('declarations in a large part that the parser gave up on are units', async () => {
    const inside = Array.from({ length: 40 }, (_, i) => `struct s${i} { int x; };`).join('\n');
    // The brace that is not closed makes an error of all that follows.
    const text = `int a;\nnamespace n { } } template<> (((\n${inside}\nint z`;
    const units = await unitsIn('a.cpp', text, 200);
    expect(units.filter(unit => /^struct/.test(unit.text)).length).toBeGreaterThan(30);
  });

  it('a member of another object does not mean the declaration of the same name', async () => {
    const [, find, use] = await unitsIn('a.js', 'function find() {}\nfunction use(x) { x.find(); }\n');
    expect(find?.declares).toEqual(['find']);
    expect(use?.mentions).not.toContain('find');
  });

  it('an overload and a specialisation are meant only with the classes that they are for', async () => {
    const text = `class vec {}; class map {};
void swap(int&, int&); void swap(vec&, vec&); void swap(map&, map&);
template<class T> struct hash; template<> struct hash<vec> {};
`;
    const units = await unitsIn('a.cpp', text);
    expect(units.slice(3).map(unit => unit.onlyWith)).toEqual([[], ['vec'], ['map'], [], ['vec']]);
  });

  it('what is defined outside its class belongs to the class, and is known by its own name', async () => {
    const units = await unitsIn(
      'a.cpp',
      'template<class T> class box { int get(); };\ntemplate<class T> int box<T>::get() {}\n',
    );
    expect(units[2]).toMatchObject({ declares: ['get'], onlyWith: ['box'] });
  });

  it('a parameter of a template is not the declaration with the same name', async () => {
    const units = await unitsIn('a.cpp', 'struct Rest {};\ntemplate<class... Rest> void f(Rest... x) {}\n');
    expect(units[2]?.mentions).toEqual(['f']);
  });

  it('a member is reached by the name of its class, an enumerator alone', async () => {
    const units = await unitsIn(
      'a.cpp',
      'struct box { int size; };\nenum color { red };\nint f() { return red + size; }\n',
    );
    expect(units[3]?.mentions).toEqual(['f', 'red']);
  });

  it('a declaration that the parser ended too soon continues in the next one', async () => {
    const text = 'extern "C" __typeof(uselocale) __uselocale;\nint next;\n';
    const units = await unitsIn('a.cpp', text);
    expect(units.slice(1).map(unit => unit.text)).toEqual(text.trimEnd().split('\n'));
    expect(units[1]?.declares).toContain('__uselocale');
  });

  it('a large function is a container, and what is assigned in it is known by its name', async () => {
    const text = '(function () {\n  function a() {}\n  window.b = a;\n})();\nb();\n';
    const units = await unitsIn('a.js', text, 20);
    expect(units.map(unit => unit.within)).toEqual([-1, 0, 1, 1, 0]);
    expect(units[3]).toMatchObject({ declares: ['b'], mentions: expect.arrayContaining(['a']) });
  });

  it.each(['a.c', 'a.cpp', 'a.js'])(
    'the statements of an opened function are units, and its names are its own: %s',
    async path => {
      const type = path === 'a.js' ? 'function' : 'int';
      const local = path === 'a.js' ? 'let' : 'int';
      const text = `${type} r() { return 1; }\n${type} g() { return r(); }\n${type} main() {\n  ${local} r = 2;\n  g();\n  r = 3;\n}\n`;
      const units = await unitsIn(path, text, 1_000_000, [text.length - 2]);
      const [, r, g, main, declaration, call, use] = units;
      expect(units).toHaveLength(7);
      expect([declaration, call, use].map(unit => unit?.within)).toEqual([3, 3, 3]);
      expect(main?.mentions).not.toContain('g');
      expect(call?.mentions).toEqual(['g']);
      // What others call r is the function.
      expect(g?.mentions).toContain(r!.declares[0]);
      expect(use?.mentions).toEqual(declaration!.declares);
      expect(use?.mentions).not.toContain(r!.declares[0]);
    },
  );
});
