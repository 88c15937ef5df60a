import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sourceAddresses } from '../scripts/source-addresses.js';

/**
 * Real regressions: how many tests each algorithm needs, and whether what it blames is to blame.
 *   npm run bench -- changes <folder> [--write] [--hunks | --plan] [name …]
 * A regression is a folder with `setup.sh` (makes old/ and new/ beside it), `test.js <version>` (or test.cjs) with the exit codes of
 * `git bisect run`, and `meta.json`, which names the culprit, and the build if there is one. If old/ and new/ are not there, a copy
 * is set up in .cache. bench/changes-cases has some: from npm, and from the sources of two Debian releases.
 * `--hunks`: leaves out the plain algorithms by line, which take many minutes. `--plan`: leaves out all plain algorithms; their section in
 * bench/changes.md stays as it is. `--write`: keeps the tables in bench/changes.md.
 * Of the tests, those are the proof that the plan asks for by itself (is old with the culprit broken, is new without it whole?);
 * all others are the search.
 */
const [folder, ...words] = process.argv.slice(2);
if (!folder || folder.startsWith('--')) {
  console.error('npm run bench -- changes <folder of regressions> [--write] [--hunks | --plan] [name …]');
  process.exit(2);
}
const names = words.filter(word => !word.startsWith('--'));
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Meta {
  readonly kind?: string;
  /** For a program that must be built: what `--build` is given. */
  readonly build?: string;
  readonly culprit: string | { readonly hunks: readonly string[]; readonly real_fix?: string };
}

interface Outcome {
  readonly ended: string;
  readonly tests: number;
  readonly executed: number;
  readonly unresolved: number;
  readonly seconds: number;
  readonly changed: number;
  readonly suspects: number;
  readonly causes: number;
  readonly culprits: readonly { readonly cause: number; readonly change: string }[];
  readonly verified: { readonly culprit: string; readonly revert: string };
  readonly passes: readonly { readonly pass: string; readonly strategy: string; readonly tests: number }[];
  /** Lines that the smallest revert takes away or brings back. */
  readonly reverted: number;
}

/** The command line from the sources as they are, in one file. */
async function commandLine(): Promise<string> {
  const place = join(root, '.cache/bench/culprit');
  const outfile = join(place, 'dist/cli/main.js');
  await build({
    entryPoints: [join(root, 'src/cli/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [sourceAddresses],
  });
  cpSync(join(root, 'package.json'), join(place, 'package.json'));
  cpSync(join(root, 'src/report/page/assets'), join(place, 'dist/cli/assets'), { recursive: true });
  return outfile;
}

/** Where its old/ and new/ are. The folder itself may be read-only. */
function setUp(name: string): string {
  const given = resolve(folder!, name);
  const isReady = (place: string) =>
    ['old', 'new'].every(
      side =>
        existsSync(join(place, side)) &&
        readdirSync(join(place, side)).length > 0 &&
        (!existsSync(join(place, side, 'package-lock.json')) || existsSync(join(place, side, 'node_modules'))),
    );
  if (isReady(given)) return given;
  const copy = join(root, '.cache/regress', name);
  if (!isReady(copy)) {
    mkdirSync(copy, { recursive: true });
    // Tests with `require` must not be taken for modules because of this project's own manifest.
    writeFileSync(join(copy, '..', 'package.json'), '{ "type": "commonjs" }');
    cpSync(given, copy, { recursive: true });
    spawnSync('chmod', ['-R', 'u+w', copy]);
    if (spawnSync('sh', ['setup.sh'], { cwd: copy, stdio: 'inherit' }).status !== 0)
      throw new Error(`${name}: setup.sh fails`);
  }
  return copy;
}

function run(main: string, place: string, meta: Meta, options: readonly string[]): Outcome {
  const cwd = mkdtempSync(join(tmpdir(), 'culprit-bench-'));
  const lock = meta.kind === 'lockfile' ? '/package-lock.json' : '';
  const versions = [join(place, `old${lock}`), join(place, `new${lock}`)];
  const built = meta.build === undefined ? [] : ['--build', meta.build];
  const args = ['changes', ...versions, '--bisect', '--json', '--quiet', '-j', '1', ...built, ...options];
  try {
    const { stdout, stderr } = spawnSync(process.execPath, [main, ...args, '--', 'node', testIn(place), '{}'], {
      cwd,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (stdout === '') throw new Error(stderr);
    return { ...JSON.parse(stdout), reverted: linesIn(join(cwd, 'culprit.changes/revert.patch')) };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const testIn = (place: string): string =>
  ['test.cjs', 'test.js'].map(name => join(place, name)).find(existsSync) ?? join(place, 'test.js');

function linesIn(patch: string): number {
  if (!existsSync(patch)) return 0;
  return readFileSync(patch, 'latin1')
    .split('\n')
    .filter(line => /^[-+](?!-- |\+\+ )/.test(line)).length;
}

/** `#42 index.js -626,0 +663,3` in one, `node_modules/a 1.0 -> 1.1 (transitive …)` in the other. */
const named = ({ culprit }: Meta): readonly string[] =>
  typeof culprit === 'string'
    ? [culprit.replace(/ \(.*$/, '').replace('->', '→')]
    : culprit.hunks.map(hunk => hunk.replace(/^#\d+ /, ''));

function judgement(meta: Meta, { culprits, verified }: Outcome): string {
  const wanted = new Set(named(meta));
  const blamed = [...new Set(culprits.map(({ change }) => change))];
  const hits = blamed.filter(change => wanted.has(change)).length;
  const proven = verified.culprit === 'fail' && verified.revert === 'pass';
  if (hits === wanted.size && hits === blamed.length) return proven ? 'found' : 'found, not verified';
  if (hits === 0) return proven ? 'verified, but another' : 'MISSED';
  const share = `${hits} of the ${wanted.size} named${blamed.length > hits ? ` and ${blamed.length - hits} more` : ''}`;
  return proven ? `found (${share})` : `not verified (${share})`;
}

/** Tests until new was tested without the first suspects; all of them for an algorithm that checks only at its end. */
function testsToFirst({ passes }: Outcome): number {
  const at = passes.findIndex(({ pass }) => pass.startsWith('new without'));
  return passes.slice(0, at < 0 ? passes.length : at + 1).reduce((sum, { tests }) => sum + tests, 0);
}

const main = await commandLine();
const all = readdirSync(folder).filter(name => existsSync(join(folder, name, 'meta.json')));
const chosen = all.filter(name => names.length === 0 || names.includes(name));
const isPlan = words.includes('--plan');
const methods = [
  { title: 'the plan, by hunk', options: ['--granularity', 'hunk'] },
  { title: 'the plan, by line', options: [] },
  ...(isPlan ? [] : ['add', 'dd', 'hdd'].map(each => ({ title: `${each} by hunk`, options: ['--strategy', each] }))),
  ...(isPlan || words.includes('--hunks')
    ? []
    : ['dd', 'add', 'hdd'].map(each => ({
        title: `${each} by line`,
        options: ['--strategy', each, '--granularity', 'line'],
      }))),
];
const lines: string[] = [];
const say = (line: string) => {
  console.log(line);
  lines.push(line);
};

interface Spent {
  /** Until the suspects are known: as far as `add` goes in its paper. */
  readonly narrowing: number;
  readonly search: number;
  readonly proof: number;
  readonly changes: number;
}
const spent = new Map<string, Map<string, Spent>>();
const row = (cells: readonly (string | number)[]) => say(`| ${cells.join(' | ')} |`);
row(
  'regression,changes,executed,method,to the suspects,to the first culprit,search,proof,asked,distinct,unresolved,ended,seconds,lines in the revert,published fix,blamed,old / new,'.split(
    ',',
  ),
);
say(`|${'---|'.repeat(18)}`);
for (const name of chosen) {
  const place = setUp(name);
  const meta: Meta = JSON.parse(readFileSync(join(place, 'meta.json'), 'utf8'));
  for (const { title, options } of methods) {
    // Upgrades have no lines: the algorithms are the same at both levels.
    if (meta.kind === 'lockfile' && title.endsWith('by line')) continue;
    const end = run(main, place, meta, options);
    const isPlain = options.includes('--strategy');
    const narrowing = end.passes
      .filter(({ pass, strategy }) => (isPlain ? strategy !== 'check' : pass.endsWith('under suspicion')))
      .reduce((sum, { tests }) => sum + tests, 0);
    const tests = (isProof: boolean) =>
      end.passes
        .filter(({ strategy }) => (strategy === 'check') === isProof)
        .reduce((sum, pass) => sum + pass.tests, 0);
    const [search, proof] = [tests(false), tests(true)];
    spent.set(title, (spent.get(title) ?? new Map()).set(name, { narrowing, search, proof, changes: end.changed }));
    const shown = [...new Set(end.culprits.map(({ change }) => change.replace(/^node_modules\//, '')))];
    const blamed = shown.length > 4 ? `${shown.slice(0, 4).join('; ')}; … ${shown.length} in all` : shown.join('; ');
    const causes = end.causes > 1 ? ` (${end.causes} causes)` : '';
    const sign = (outcome: string) => ({ pass: '✓', fail: '✗' })[outcome] ?? '?';
    row([
      name,
      end.changed,
      end.suspects,
      title,
      narrowing,
      testsToFirst(end),
      search,
      proof,
      end.tests,
      end.executed,
      end.unresolved,
      end.ended,
      end.seconds.toFixed(1),
      end.reverted,
      typeof meta.culprit === 'string' ? '' : (meta.culprit.real_fix ?? ''),
      blamed + causes,
      `${sign(end.verified.culprit)} / ${sign(end.verified.revert)}`,
      judgement(meta, end),
    ]);
  }
}

/** The tests of one method beside those of another: over all, and how often it is a tenth where there are 50 changes or more. */
function compare(ours: string, theirs: string, of: (spent: Spent) => number, what: string): void {
  const [a, b] = [spent.get(ours), spent.get(theirs)];
  if (!a || !b) return;
  const pairs = [...b].flatMap(([name, other]) => (a.has(name) ? [[a.get(name)!, other] as const] : []));
  const sum = (side: 0 | 1) => pairs.reduce((total, pair) => total + of(pair[side]), 0);
  const large = pairs.filter(([, { changes }]) => changes >= 50);
  const tenth = large.filter(([one, other]) => of(one) * 10 <= of(other)).length;
  const ratio = (sum(0) / sum(1)).toFixed(2);
  say(
    `- ${ours} beside ${theirs}, ${what}: ${sum(0)} to ${sum(1)} tests (${ratio}) over ${pairs.length}; a tenth or less on ${tenth} of the ${large.length} with 50 changes and more`,
  );
}
say('');
const both = ({ search, proof }: Spent) => search + proof;
for (const unit of ['hunk', 'line'])
  for (const [ours, theirs] of [
    [`the plan, by ${unit}`, `dd by ${unit}`],
    [`the plan, by ${unit}`, `hdd by ${unit}`],
    [`add by ${unit}`, `dd by ${unit}`],
  ] as const) {
    compare(ours, theirs, ({ narrowing }) => narrowing, 'to the suspects');
    compare(ours, theirs, ({ search }) => search, 'search');
    compare(ours, theirs, both, 'search and proof');
  }
const heading = `# Real regressions

Tests to the suspects; to the first culprit, which is when old is known to fail with it and new was tested without it; of the whole search; and of the plan's own checks; "asked": questions in all, "distinct": tests that were run for them;
"lines in the revert": what the smallest revert takes away or brings back, beside what the regression's own notes say of the published fix; "old / new": what old with the culprits and new without them come to. "The plan" is
\`culprit changes\` as it is, which goes on to what the suspects need, to further causes and, by line, to single lines; \`add\`, \`dd\`
and \`hdd\` are the papers' algorithms by themselves.
`;
const file = join(root, 'bench/changes.md');
const plainSection = isPlan ? (/^## The plain algorithms$.*/ms.exec(readFileSync(file, 'utf8'))?.[0] ?? '') : '';
if (words.includes('--write'))
  writeFileSync(file, `${heading}\n${lines.join('\n').trim()}\n${plainSection === '' ? '' : `\n${plainSection}`}`);
