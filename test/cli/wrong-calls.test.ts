/** A hundred wrong calls: each gets a sentence, advice and the documented exit code; none a stack, none hangs. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { report, setCommandLine } from '../../src/cli/failure.js';
import { program } from '../../src/cli/program.js';
import { boom, culprit, folderWith } from './culprit.js';

/** The words after `culprit`, the exit code, and what the message says. */
type Row = readonly [call: string, code: number, says: RegExp];

const ok = '-- ./t.sh {}';

const table: readonly Row[] = [
  // No command, or none that is known.
  ['', 2, /Usage: culprit/],
  ['redcue in.txt -- ./t.sh', 2, /unknown command 'redcue'[\s\S]*Did you mean reduce/],
  ['--frobnicate', 2, /unknown option '--frobnicate'/],
  ['help nothing', 2, /unknown command|Usage/],
  // reduce: inputs.
  ['reduce', 2, /missing required argument 'path'/],
  ['reduce in.txt', 2, /No command to run\. Put it after `--`\.[\s\S]*For example: culprit reduce/],
  ['reduce in.txt --', 2, /No command to run/],
  ['reduce -- ./t.sh {}', 2, /No input\. Put its path before `--`/],
  ['reduce in.txt ./t.sh {}', 2, /No command to run/],
  ['reduce nope.txt -- ./t.sh {}', 2, /There is no file or folder nope\.txt[\s\S]*Check the path/],
  ['reduce sub/nope/deep.txt -- ./t.sh {}', 2, /There is no file or folder/],
  ['reduce dangling -- ./t.sh {}', 2, /There is no file or folder dangling/],
  ['reduce in.txt sub/in.txt -- ./t.sh {}', 2, /Two of the inputs are called in\.txt/],
  ['reduce /dev/null -- ./t.sh {}', 2, /neither a file nor a folder/],
  ['reduce - in.txt -- ./t.sh {}', 2, /cannot be combined with other inputs/],
  [`reduce in.txt --exclude *.md ${ok}`, 2, /--exclude selects files of a folder/],
  [`reduce in.txt --include *.md ${ok}`, 2, /--include selects files of a folder/],
  [`reduce proj --exclude *.nope ${ok}`, 2, /matches nothing in proj/],
  [`reduce proj --stdin ${ok}`, 2, /--stdin passes one file/],
  // reduce: options and their values.
  [`reduce in.txt --jobs 0 ${ok}`, 2, /--jobs 0 is not a whole number of at least 1/],
  [`reduce in.txt --jobs two ${ok}`, 2, /--jobs two is not a whole number/],
  [`reduce in.txt -j 1.5 ${ok}`, 2, /--jobs 1\.5 is not a whole number/],
  [`reduce in.txt --jobs -3 ${ok}`, 2, /--jobs -3 is not/],
  [`reduce in.txt --jobs Infinity ${ok}`, 2, /--jobs Infinity is not/],
  [`reduce in.txt --by node --level lexical ${ok}`, 2, /--by node and --level lexical cannot be combined/],
  [`reduce in.txt --quiet --verbose ${ok}`, 2, /--quiet and --verbose cannot be combined/],
  [`reduce in.txt --jobs 1e9 ${ok}`, 2, /--jobs 1e9 is more than 1000[\s\S]*up to 1000/],
  [`reduce in.txt --keep= ${ok}`, 2, /--keep has no value: it is empty/],
  [`reduce in.txt --timeout 0 ${ok}`, 2, /--timeout 0 is not a number/],
  [`reduce in.txt --timeout soon ${ok}`, 2, /--timeout soon is not a number/],
  [`reduce in.txt --memory lots ${ok}`, 2, /--memory lots is not/],
  [`reduce in.txt --processes 1 ${ok}`, 2, /--processes 1 is not a whole number of at least 2/],
  [`reduce in.txt --max-tests 0 ${ok}`, 2, /--max-tests 0 is not/],
  [`reduce in.txt --max-time never ${ok}`, 2, /--max-time never is not/],
  [`reduce in.txt --repeat 0 ${ok}`, 2, /--repeat 0 is not/],
  [`reduce in.txt --others none ${ok}`, 2, /--others none is not/],
  [
    `reduce in.txt --level deep ${ok}`,
    2,
    /'--level <level>' argument 'deep' is invalid[\s\S]*lexical, syntactic, semantic/,
  ],
  [`reduce in.txt --by word ${ok}`, 2, /'--by <unit>' argument 'word' is invalid/],
  [`reduce in.txt --language klingon ${ok}`, 2, /There is no language called "klingon"[\s\S]*Known are/],
  [`reduce in.txt --grammar nope.wasm ${ok}`, 2, /nope\.wasm/],
  [`reduce in.txt --grammar in.txt ${ok}`, 2, /grammar .*in\.txt does not load/],
  [`reduce in.txt --strategy magic ${ok}`, 2, /magic[\s\S]*ddmin/],
  [`reduce in.txt --keep ( ${ok}`, 2, /--keep/],
  [`reduce in.txt --match ( ${ok}`, 2, /--match/],
  [`reduce in.txt --signal SIGNOPE ${ok}`, 2, /SIGNOPE/],
  [`reduce in.txt --exit -1 ${ok}`, 2, /--exit -1 is not/],
  [`reduce in.txt --exit three ${ok}`, 2, /--exit three is not/],
  [`reduce in.txt --match a --exit 3 ${ok}`, 2, /--match and --exit cannot be combined/],
  [`reduce in.txt --interesting --bisect ${ok}`, 2, /cannot be combined/],
  [`reduce in.txt --also weather ${ok}`, 2, /weather/],
  [`reduce in.txt --json --events ${ok}`, 2, /--json and --events cannot be combined/],
  [`reduce in.txt -o - --json ${ok}`, 2, /--output - and --json cannot be combined/],
  [`reduce proj -o - ${ok}`, 2, /the result is a folder/],
  ['reduce in.txt -o -- ./t.sh {}', 2, /--output has no value/],
  ['reduce in.txt --match -- ./t.sh {}', 2, /--match has no value/],
  ['reduce in.txt --jobs', 2, /argument missing/],
  [`reduce in.txt --jobz 2 ${ok}`, 2, /unknown option '--jobz'[\s\S]*Did you mean --jobs/],
  // reduce: outputs and run folders.
  [`reduce in.txt -o in.txt ${ok}`, 2, /is the original in\.txt, which is never changed/],
  [`reduce proj -o proj/out ${ok}`, 2, /is inside the original proj/],
  [`reduce in.txt -o nowhere/out.txt ${ok}`, 2, /There is no folder .*nowhere/],
  [`reduce in.txt -o mine.txt ${ok}`, 2, /mine\.txt already exists, and culprit did not write it/],
  [`reduce in.txt -o sub ${ok}`, 2, /is a folder, and the result is a file/],
  [`reduce proj -o mine.txt ${ok}`, 2, /is a file, and the result is a folder/],
  [`reduce in.txt -o link.txt ${ok}`, 2, /is a link/],
  [`reduce in.txt --run sub ${ok}`, 2, /sub can't be a run folder: it contains in\.txt/],
  [`reduce in.txt --run mine.txt ${ok}`, 2, /mine\.txt/],
  // reduce: commands.
  ['reduce in.txt -- ./nope.sh {}', 2, /There is no \.\/nope\.sh/],
  ['reduce in.txt -- no-such-program {}', 2, /Command not found: no-such-program/],
  ['reduce in.txt -- ./plain.txt {}', 2, /Cannot execute|chmod/],
  ['reduce in.txt -- true {}', 1, /Nothing to reduce: the command succeeds[\s\S]*--interesting/],
  ['reduce in.txt --interesting -- false {}', 1, /Nothing to reduce/],
  ['reduce in.txt --match nope -- ./t.sh {}', 1, /Nothing to reduce/],
  ['reduce in.txt --exit 9 -- ./t.sh {}', 1, /Nothing to reduce/],
  ['reduce in.txt -- false {}', 1, /fails in the same way on an empty input[\s\S]*Likely causes/],
  ['reduce in.txt -- false', 1, /\{\} is missing[\s\S]*--stdin/],
  // isolate.
  [`isolate ${ok}`, 2, /isolate compares two inputs, but there are 0/],
  [`isolate in.txt ${ok}`, 2, /isolate compares two inputs, but there is 1/],
  [`isolate in.txt mine.txt plain.txt ${ok}`, 2, /there are 3 before/],
  [`isolate in.txt in.txt ${ok}`, 1, /the two inputs are the same/],
  [`isolate in.txt proj ${ok}`, 2, /one is a folder, the other a file/],
  [`isolate - in.txt ${ok}`, 2, /does not read standard input/],
  [`isolate mine.txt in.txt --strategy ddmin ${ok}`, 2, /ddmin/],
  [`isolate in.txt sub/in.txt --limit 3 ${ok}`, 2, /--limit/],
  // changes.
  ['changes -- ./t.sh', 2, /No versions to compare/],
  ['changes proj -- ./t.sh', 2, /Two versions are needed/],
  ['changes proj nope-folder -- ./t.sh', 2, /nope-folder/],
  ['changes npm:nope proj -- ./t.sh', 2, /npm:nope/],
  ['changes proj sub --granularity word -- ./t.sh', 2, /'--granularity <unit>' argument 'word' is invalid/],
  ['changes proj sub --coverage magic -- ./t.sh', 2, /'--coverage <kind>' argument 'magic' is invalid/],
  // options and env.
  ['options', 2, /No command to run/],
  ['options -o - -- ./t.sh in.txt', 2, /Only `culprit reduce` can write its result to standard output/],
  ['options in.txt -- ./t.sh -a', 2, /options takes no input, but there is in\.txt/],
  ['options --try -a -- ./t.sh in.txt', 2, /--try|--prevent/],
  ['options --try-file nope.txt --prevent -- ./t.sh in.txt', 2, /nope\.txt/],
  ['env in.txt -- ./t.sh', 2, /env takes no input, but there is in\.txt/],
  ['env --passing nope.env -- ./t.sh in.txt', 2, /nope\.env/],
  ['env', 2, /No command to run/],
  // actions, traffic, record.
  ['actions', 2, /missing required argument 'recording'/],
  ['actions nope.json', 2, /The recording nope\.json can't be read/],
  ['actions in.txt', 2, /in\.txt is not a recording/],
  ['actions in.txt mine.txt', 2, /actions reads one recording, but there are 2/],
  ['traffic in.txt -- ./t.sh', 2, /--send .*--serve /],
  ['traffic nope.har --serve -- ./t.sh', 2, /The recording nope\.har can't be read/],
  ['traffic in.txt --serve -- ./t.sh', 2, /in\.txt is not a HAR file/],
  ['traffic in.txt --send http://example.org/ -- ./t.sh', 2, /example\.org|not a HAR file/],
  ['traffic in.txt --serve --status 42 -- ./t.sh', 2, /--status 42 is not/],
  ['record', 2, /missing required argument 'url'/],
  ['record x.html -o mine.txt', 2, /mine\.txt already exists/],
  // tests, schedules, states.
  ['tests', 2, /No command to run/],
  ['tests in.txt -- npx vitest run', 2, /tests takes no input/],
  ['tests -- ./t.sh', 2, /vitest/],
  ['schedules', 2, /No command to run/],
  ['schedules in.txt -- node a.js', 2, /schedules takes no input/],
  ['schedules --slow soon -- node a.js', 2, /--slow soon is not a time/],
  ['schedules --inspect-brk -- node a.js', 2, /--inspect-brk needs a schedule/],
  ['states', 2, /No command to run/],
  ['states a b', 2, /either one run, or two inputs/],
  // Runs, and the rest.
  ['resume', 2, /There is no run here yet/],
  ['resume nope', 2, /There is no run at .*nope/],
  ['resume sub', 2, /it has no journal\.jsonl/],
  ['resume --jobs none', 2, /--jobs none is not/],
  ['report', 2, /There is no run here yet/],
  ['report nope', 2, /There is no run at nope/],
  ['verify nope', 2, /nope/],
  ['verify --rerun some', 2, /--rerun some is not something/],
  ['explain magic', 2, /magic/],
  ['explain ddmin --deltas none', 2, /--deltas none is not/],
  ['explain --example nope', 2, /nope/],
  ['completion', 2, /missing required argument 'shell'/],
  ['completion csh', 2, /Allowed choices are bash, zsh, fish/],
];

class Exited extends Error {
  constructor(readonly code: number) {
    super('exited');
  }
}

let folder = '';
const home = process.cwd();
const real = { exit: process.exit, out: process.stdout.write, err: process.stderr.write, argv: process.argv };

beforeAll(() => {
  const files = {
    'in.txt': 'a\nBOOM\n',
    'mine.txt': 'mine\n',
    'plain.txt': 'plain\n',
    'sub/in.txt': 'x\n',
    'proj/a.txt': 'BOOM\n',
    't.sh': boom,
  };
  folder = join(home, '.cache', `wrong-calls-${process.pid}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: name === 't.sh' ? 0o755 : 0o644 });
  }
  symlinkSync('mine.txt', join(folder, 'link.txt'));
  symlinkSync('nowhere.txt', join(folder, 'dangling'));
});

afterAll(async () => {
  const { rmSync } = await import('node:fs');
  rmSync(folder, { recursive: true, force: true });
});

/** One call in this process, as `main.ts` makes it: a hundred of their own would take half a minute. */
async function called(words: readonly string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const take = (part: string | Uint8Array) => {
    text += String(part);
    return true;
  };
  process.chdir(folder);
  process.argv = [process.execPath, 'culprit', ...words];
  process.stdout.write = take as never;
  process.stderr.write = take as never;
  process.exit = ((code: number) => {
    throw new Exited(code);
  }) as never;
  setCommandLine(words);
  process.exitCode = 0;
  try {
    try {
      await program().configureOutput({ writeOut: take, writeErr: take }).parseAsync(process.argv);
      return { code: Number(process.exitCode ?? 0), text };
    } catch (error) {
      return { code: error instanceof Exited ? error.code : report(error), text };
    }
  } finally {
    Object.assign(process, { exit: real.exit, argv: real.argv, exitCode: 0 });
    process.stdout.write = real.out;
    process.stderr.write = real.err;
    process.chdir(home);
  }
}

test('there are at least a hundred', () => expect(table.length).toBeGreaterThanOrEqual(100));

test.each(table)('culprit %s', async (call, code, says) => {
  const before = readdirSync(folder).sort();
  const ended = await called(call.split(' ').filter(Boolean));
  expect(ended.text).toMatch(says);
  expect(ended.code).toBe(code);
  expect(ended.text).not.toMatch(/^\s+at .*:\d+:\d+/m);
  expect(ended.text).not.toMatch(/this is a bug in culprit|undefined|\[object/);
  // A sentence and what to do: more than one line, or an example.
  expect(ended.text.trim().split('\n').length).toBeGreaterThan(1);
  expect(readdirSync(folder).sort()).toEqual(before);
});

test('a call in its own process ends in the same way', async () => {
  const cwd = folderWith({ 'in.txt': 'a\n' });
  const ended = await culprit(['reduce', 'in.txt', '--jobs', '0', '--', 'true'], { cwd });
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/--jobs 0 is not a whole number/) });
});
