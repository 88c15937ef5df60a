import { dirname, join, normalize } from 'node:path/posix';
import { createContext, runInContext } from 'node:vm';
import ts from 'typescript';
import { type Artifact, bytesOf } from '../../src/core/artifact.js';
import { Counter } from '../../src/engine/index.js';
import { type ReduceOptions, reducePasses } from '../../src/plans/reduce/passes.js';
import { simplify } from '../../src/plans/simplify.js';
import { identify, identifyIgnoringWhitespace } from '../../src/sources/files.js';

/** The texts of a folder by their paths. */
export type Files = Readonly<Record<string, string>>;

export interface ReachedFolder {
  readonly files: Files;
  readonly bytes: number;
  readonly tests: number;
  /** The passes in which something failed, so that a smaller folder came out. */
  readonly fruitful: ReadonlySet<string>;
  readonly accepted: readonly Files[];
}

const filesOf = ({ files }: Artifact): Files =>
  Object.fromEntries(
    [...files].map(([path, entry]) => [path, entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : '']),
  );

/** A folder through the plan that `culprit reduce` follows. */
export async function reachFolder(
  files: Files,
  fails: (files: Files) => boolean,
  options: ReduceOptions = {},
): Promise<ReachedFolder> {
  const original: Artifact = {
    files: new Map(Object.entries(files).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }])),
  };
  if (!fails(files)) throw new Error('The folder does not fail to begin with.');
  const counter = new Counter();
  const fruitful = new Set<string>();
  const accepted: Files[] = [];
  let pass = '';
  const steps = simplify(
    original,
    await reducePasses(original, options),
    async artifact => ({ outcome: fails(filesOf(artifact)) ? 'fail' : 'pass' }),
    {
      identify,
      identifyIgnoringWhitespace: identifyIgnoringWhitespace,
      measure: bytesOf,
      counter,
      accepted(artifact) {
        fruitful.add(pass);
        accepted.push(filesOf(artifact));
      },
    },
  );
  for (;;) {
    const step = await steps.next();
    if (!step.done) {
      if (step.value.type === 'pass') pass = step.value.pass;
      continue;
    }
    const { artifact } = step.value;
    return { files: filesOf(artifact), bytes: bytesOf(artifact), tests: counter.spent, fruitful, accepted };
  }
}

/** Scripts are made into functions by the TypeScript compiler: once for every text. */
const compiled = new Map<string, string>();

function javascriptOf(text: string): string {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const { outputText, diagnostics } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ESNext },
  });
  const code = diagnostics!.length > 0 ? 'throw new SyntaxError()' : outputText;
  compiled.set(text, code);
  return code;
}

/**
 * Runs a folder of modules from `main`, and gives what it throws, or undefined. As with real modules, an import of a name
 * that a module does not have is an error.
 */
export function thrownBy(files: Files, main: string): unknown {
  const loaded = new Map<string, object>();
  // A module is loaded while another one runs: the compiler's time is not to count as the script's.
  for (const text of Object.values(files)) javascriptOf(text);
  const load = (path: string): object => {
    const known = loaded.get(path);
    if (known !== undefined) return known;
    const text = files[path];
    if (text === undefined) throw new Error(`no file ${path}`);
    const exports = strict({});
    loaded.set(path, exports);
    const code = runInContext(`(function (exports, require) {${javascriptOf(text)}\n})`, context);
    context.run = () =>
      code(exports, (name: string) => {
        if (!name.startsWith('./')) throw new Error(`no package ${name}`);
        return load(normalize(join(dirname(path), name)).replace(/\.js$/, '.ts'));
      });
    runInContext('run()', context, { timeout: 1_000 });
    return exports;
  };
  try {
    load(main);
    return undefined;
  } catch (error) {
    return error;
  }
}

const context = createContext({ run: () => undefined });

const strict = (exports: object): object =>
  new Proxy(exports, {
    get(all, name) {
      if (name in all || name === '__esModule' || typeof name === 'symbol') return Reflect.get(all, name);
      throw new ReferenceError(`no export ${name}`);
    },
  });
