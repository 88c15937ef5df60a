import { balanced, embedded, type Fails, nested } from './needs.js';

/** A language's sample, under the name that tells the language, and what must be in it. */
export interface Case {
  readonly language: string;
  readonly file: string;
  readonly fails: () => Fails | Promise<Fails>;
}

const tree = (language: string, file: string, kinds: readonly RegExp[], like: RegExp): Case => ({
  language,
  file,
  fails: () => nested(language, kinds, like),
});
const text = (language: string, file: string, like: RegExp): Case => ({ language, file, fails: () => balanced(like) });

/** A call of `crash` with two arguments. */
const crash = /^crash\(.+,.+\)$/s;

export const cases: readonly Case[] = [
  tree('c', 'in.c', [/^function_definition$/, /^for_statement$/, /^call_expression$/], crash),
  tree('cpp', 'in.cc', [/^lambda_expression$/, /^try_statement$/, /^call_expression$/], crash),
  tree(
    'javascript',
    'in.js',
    [/^function_declaration$/, /^for_in_statement$/, /^call_expression$/],
    /^crash\(.+,\s*\{.+\}\)$/s,
  ),
  tree('typescript', 'in.ts', [/^for_in_statement$/, /^call_expression$/], /^crash<.+>\(.+,.+ as .+\)$/s),
  tree('tsx', 'in.tsx', [/^jsx_element$/, /^jsx_expression$/, /^jsx_element$/, /^call_expression$/], crash),
  tree('python', 'in.py', [/^try_statement$/, /^while_statement$/, /^call$/], crash),
  tree('java', 'In.java', [/^enhanced_for_statement$/, /^try_statement$/, /^method_invocation$/], crash),
  tree('go', 'in.go', [/^for_statement$/, /^defer_statement$/, /^call_expression$/], crash),
  tree('rust', 'in.rs', [/^for_expression$/, /^if_let_expression$/, /^call_expression$/], crash),
  tree('ruby', 'in.rb', [/^method$/, /^do_block$/, /^call$/], crash),
  tree(
    'php',
    'in.php',
    [/^class_declaration$/, /^foreach_statement$/, /^match_expression$/, /^function_call_expression$/],
    crash,
  ),
  tree(
    'csharp',
    'In.cs',
    [
      /^(for_?each_statement)$/,
      /^catch_clause$|^try_statement$/,
      /^conditional_expression$/,
      /^invocation_expression$/,
    ],
    /^Crash\(.+,.+\)$/s,
  ),
  tree('kotlin', 'in.kt', [/^for_statement$/, /^when_expression$/, /^call_expression$/], crash),
  tree('swift', 'in.swift', [/^for_statement$/, /^if_statement$/, /^call_expression$/], crash),
  tree('lua', 'in.lua', [/^for_statement$/, /^while_statement$/, /^function_call$/], crash),
  tree('bash', 'in.sh', [/^for_statement$/, /^case_statement$/, /^command$/], /^crash .+ .+$/s),
  text('sql', 'in.sql', /select[^;]+\bexists\b[^;]*\([^;]*crash\(.+,.+\)/s),
  tree('json', 'in.json', [/^array$/, /^object$/, /^number$/], /^\d{16}$/),
  tree('yaml', 'in.yaml', [/^block_sequence$/, /^flow_mapping$/, /^flow_pair$/], /^CRASH: y/),
  text('toml', 'in.toml', /\[\[\w+\]\]\n(?:.*\n)*name = "crash"\n(?:.+\n)*\S+ = \[".+", ".+"\]/),
  tree('xml', 'in.svg', [/^element$/, /^element$/, /^Attribute$/], /^filter=["']url\(#.+\)["']$/),
  {
    language: 'html',
    file: 'in.html',
    fails: async () =>
      embedded(
        await nested('html', [/^element$/, /^script_element$/], /./),
        /<script>([\s\S]*?)<\/script>/g,
        await nested('javascript', [/^for_in_statement$/, /^call_expression$/], crash),
      ),
  },
  tree('css', 'in.css', [/^media_statement$/, /^declaration$/, /^call_expression$/], /^calc\(.+\(.+\*.+\).+\)$/s),
  tree('scss', 'in.scss', [/^rule_set$/, /^rule_set$/, /^include_statement$/, /^call_expression$/], /./),
  {
    language: 'markdown',
    file: 'in.md',
    fails: async () =>
      embedded(
        await nested('markdown', [/^section$/, /^fenced_code_block$/, /^code_fence_content$/], /./),
        /```js\n([\s\S]*?)```/g,
        await nested('javascript', [/^for_in_statement$/, /^call_expression$/], crash),
      ),
  },
  tree('dot', 'in.gv', [/^subgraph$/, /^edge_stmt$/, /^attribute$/], /^crash\s*=\s*1$/),
];
