// The main step of the GitHub Action: runs culprit within a time budget, and writes its answer to the summary of the job.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const { env } = process;
const cli = env.CULPRIT_CLI ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const job = (env.CULPRIT_RUN ?? '').trim();
const linesOf = text => (text ?? '').split('\n').map(line => line.trim()).filter(Boolean);

/** GitHub reads `name=value`, or a value between two lines that do not occur in it. */
function output(name, value) {
  if (!env.GITHUB_OUTPUT) return;
  const mark = `end-${randomBytes(8).toString('hex')}`;
  appendFileSync(env.GITHUB_OUTPUT, `${name}<<${mark}\n${value}\n${mark}\n`);
}

function summary(text) {
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${text}\n`);
}

function refuse(sentence) {
  process.stdout.write(`::error title=culprit::${sentence}\n`);
  summary(`**culprit**: ${sentence}`);
  output('ended', 'error');
  process.exit(2);
}

if (!['changes', 'reduce', 'tests', 'triage'].includes(job))
  refuse(`run must be changes, reduce, tests or triage, and it is "${job}".`);
if (!env.CULPRIT_COMMAND?.trim()) refuse('There is no command: set `command` to the one that fails.');

function inputs() {
  const given = linesOf(env.CULPRIT_INPUTS);
  if (given.length > 0 || job !== 'changes') return given;
  const before = env.CULPRIT_BEFORE?.trim();
  // A branch that is pushed for the first time has no commit before it.
  if (!before || /^0+$/.test(before)) refuse('There is no commit to compare with: set `before` to the last one that worked.');
  return [before, env.GITHUB_SHA ?? 'HEAD'];
}

const sarif = 'culprit.sarif';
const command = env.CULPRIT_COMMAND.trim();
const args = [
  job,
  ...inputs(),
  ...['--json', '--max-time', env.CULPRIT_MAX_TIME || '600'],
  ...(job === 'changes' ? ['--sarif', sarif] : []),
  ...linesOf(env.CULPRIT_OPTIONS),
  '--',
  // culprit finds the files that plain words name; only what needs a shell is passed as a shell line.
  ...(/["'`\\$&|;<>()*?[\]#~=%!\n]/.test(command) ? [command] : command.split(/\s+/)),
];
const { status, stdout, error } = spawnSync(process.execPath, [cli, ...args], {
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
  maxBuffer: 256 * 1024 ** 2,
});
if (error) refuse(`culprit could not be started: ${error.message}.`);
const line = stdout.trimEnd().split('\n').at(-1) ?? '';
let result = {};
try {
  result = JSON.parse(line);
} catch {
  refuse('culprit ended without a result. Its output is in the log of this step.');
}
const page = result.run ? resolve(result.run, 'report.html') : '';
output('ended', result.ended);
output('json', line);
if (page && existsSync(page)) output('page', page);
if (existsSync(sarif)) output('sarif', sarif);
summary(toMarkdown(result));
annotate(result);
process.exit(status ?? 70);

function toMarkdown({ ended, message, advice, signature, tests, seconds, culprits, test, state, needs, loaded, groups, output: file }) {
  if (ended === 'error') return `### culprit\n\n${message}\n\n${advice ?? ''}`;
  const rows = ['### culprit', '', `Failure: \`${signature}\``, ''];
  if (ended !== 'done') rows.push('Stopped early: this is the best result so far.', '');
  for (const { change, code } of culprits ?? []) rows.push(`To blame: **${change}**`, '', ...fenced('diff', code), '');
  if (test) {
    const shown = each => `\`${each.file} › ${each.name}\``;
    const verb = state === 'failed' ? 'fails' : 'passes';
    const conditions = [
      ...(needs.length > 0 ? [`after ${needs.map(shown).join(' and ')}`] : []),
      ...(loaded.length > 0 ? [`if ${loaded.map(each => `\`${each}\``).join(' and ')} ${loaded.length === 1 ? 'is' : 'are'} loaded`] : []),
    ];
    rows.push(conditions.length === 0 ? `${shown(test)} ${verb} alone too.` : `${shown(test)} ${verb} only ${conditions.join(', and ')}.`, '');
  }
  if (groups) {
    rows.push(`${groups.length} ${groups.length === 1 ? 'group' : 'groups'} of failures:`, '');
    for (const { failure, files, variants = [] } of groups) {
      const smallest = variants.map(({ form }) => form).find(Boolean);
      rows.push(`- \`${failure}\`: ${files} ${files === 1 ? 'input' : 'inputs'}${smallest ? `, smallest: ${shownForm(smallest)}` : ''}`);
    }
    rows.push('');
  }
  if (job === 'reduce') rows.push(`The smallest input that fails: \`${file}\``, '');
  rows.push(`${tests} tests in ${Math.round(seconds)} s.`);
  return rows.join('\n');
}

/** A short text is shown itself; a long one, or bytes, by the path of its file. */
function shownForm(path) {
  const text = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  return /^[ -_a-~]{1,80}$/.test(text) ? `\`${text}\`` : `\`${path}\``;
}

/** A fence is longer than any in the code. */
function fenced(language, code) {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, code.trimEnd(), fence];
}

function annotate({ culprits = [], signature = '' }) {
  const escaped = text => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
  for (const { file, lines } of culprits) {
    const at = lines.new ? `,line=${lines.new[0]},endLine=${lines.new[1]}` : '';
    process.stdout.write(`::error file=${escaped(file)}${at},title=culprit::This change makes the test fail: ${escaped(signature)}\n`);
  }
}
