/** A few lines per language: declarations, calls, blocks, lists, literals. */
export const samples: Readonly<Record<string, string>> = {
  c: '#include <stdio.h>\nstatic int twice(int n, char c) { if (n > 1) { return n * 2; } return (n + 1); }\nint main(void) {\n  int total = twice(21, \'x\');\n  printf("%d\\n", total);\n  return 0;\n}\n',
  cpp: 'namespace outer {\ntemplate <class T, class U> struct Pair { T first; U second; };\n}\nint main() {\n  outer::Pair<int, char> pair{1, 2};\n  auto add = [](int a, int b) { return a + b; };\n  return add(pair.first, 3);\n}\n',
  javascript:
    'import { readFile } from "fs";\nconst limit = 10, other = [1, 2, 3];\nfunction add(a, b) {\n  if (a > limit) { return a; } else { return a + b; }\n}\nconsole.log(add(1, other[0]), readFile);\n',
  typescript:
    'interface Shape { readonly name: string; area(): number }\nexport const pick = <T,>(list: readonly T[], at: number): T | undefined => list[at];\nclass Box implements Shape { name = "box"; area(): number { return 4 * 4; } }\nconsole.log(pick([new Box()], 0));\n',
  tsx: 'export function View(props: { title: string }) {\n  return <section className="v"><h1>{props.title}</h1><p>text</p></section>;\n}\n',
  python:
    'import os\n\ndef area(width, height=2):\n    if width > 1:\n        return width * height\n    return 0\n\nprint(area(3), [os.sep, "x"])\n',
  java: 'import java.util.List;\nclass Main {\n  static int twice(int n, String s) { return n * 2; }\n  public static void main(String[] args) { int x = twice(4, "a"); System.out.println(x); }\n}\n',
  go: 'package main\n\nimport "fmt"\n\nfunc twice(n int, s string) int {\n\tif n > 1 {\n\t\treturn n * 2\n\t}\n\treturn 0\n}\n\nfunc main() {\n\tfmt.Println(twice(4, "a"))\n}\n',
  rust: 'struct Pair { a: u8, b: u8 }\nfn twice(n: u8, s: &str) -> u8 { if n > 1 { return n * 2; } n }\nfn main() { let p = Pair { a: 1, b: 2 }; println!("{}", twice(p.a + p.b, "x")); }\n',
  ruby: 'class Box\n  def area(width, height)\n    if width > 1\n      return width * height\n    end\n    0\n  end\nend\nputs Box.new.area(2, 3)\n',
  php: '<?php\nfunction twice($n, $s) { if ($n > 1) { return $n * 2; } return 0; }\n$list = [1, 2, "x"];\necho twice($list[0], "a");\n',
  csharp:
    'using System;\nclass Program {\n  static int Twice(int n, string s) { return n * 2; }\n  static void Main() { int x = Twice(4, "a"); Console.WriteLine(x); }\n}\n',
  kotlin:
    'fun twice(n: Int, s: String): Int {\n    if (n > 1) {\n        return n * 2\n    }\n    return 0\n}\n\nfun main() {\n    println(twice(4, "a"))\n}\n',
  swift:
    'func twice(_ n: Int, _ s: String) -> Int {\n    if n > 1 {\n        return n * 2\n    }\n    return 0\n}\nprint(twice(4, "a"))\n',
  lua: 'local function twice(n, s)\n  if n > 1 then\n    return n * 2\n  end\n  return 0\nend\nprint(twice(4, "a"), { 1, 2, x = 3 })\n',
  bash: 'twice() {\n  if [ "$1" -gt 1 ]; then\n    echo $(( $1 * 2 ))\n  fi\n}\nfor name in a b c; do twice "$name" | sort; done\n',
  json: '{ "name": "x", "list": [1, 2, { "deep": [true, null] }], "n": 12.5 }\n',
  yaml: 'name: x\nlist:\n  - a\n  - b: 1\n    c: 2\nmap: { k: v }\n',
  xml: '<root><group id="g" kind="a"><leaf value="1"/></group><use href="#g"/><p>some text</p></root>\n',
  html: '<!doctype html><body><div id="a" class="b c"><p>some text</p><br></div><script>let x = 1; f(x, 2)</script></body>\n',
  css: 'a.b, p > em { color: red; margin: 0 1px 2px; }\n@media print { a { display: none } }\n',
  scss: '$width: 10px;\n.a { width: $width; .b { color: red; } }\n',
  toml: '[package]\nname = "x"\nlist = [1, 2, 3]\n\n[other]\nkey = { a = 1, b = 2 }\n',
  dot: 'digraph g {\n  subgraph s { a -> b; }\n  a -> c [label="x", color=red];\n}\n',
  markdown: '# Title\n\nSome *strong* text and a [link](x).\n\n- one\n- two\n\n```js\nlet x = f(1, 2)\n```\n',
};

/** Texts in notations that come without a grammar. */
export const bracketSamples: Readonly<Record<string, string>> = {
  sql: "select a, b from t where (a > 1 and b in (1, 2)); -- why\ninsert into t values (1, 'x');\n",
  graphql: 'query Q($n: Int) {\n  user(id: 4, n: $n) {\n    name\n    friends { id }\n  }\n}\n',
};
