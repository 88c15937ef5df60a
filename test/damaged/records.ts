/** Files that culprit writes and reads again: journals, certificates, schedules, what a triage knows, environments. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openClaim } from '../../src/plans/claim.js';
import { checkProofs } from '../../src/plans/recorded-claim.js';
import { readSchedule } from '../../src/plans/schedules/replay.js';
import { fromKnown, readKnown } from '../../src/plans/triage/known.js';
import { formatCertificate, pack } from '../../src/run/certificate.js';
import { Journal } from '../../src/run/journal.js';
import { formatProofCertificate } from '../../src/run/recorded-proof.js';
import { parseEnvironment } from '../../src/sources/environment/parse.js';
import type { Format } from './formats.js';

/** `scratch`: a folder for one file of each format. */
export const recordsIn = (scratch: string): readonly Format[] => [
  journal(scratch),
  certificate(scratch),
  proofCertificate(scratch),
  schedule(scratch),
  known(scratch),
  environment(),
];

/** What is claimed must not be accepted from a file that says something else than the whole one. */
function refuseAccepted(path: string, isWhole: boolean): void {
  const opened = openClaim(path);
  const known =
    'recorded' in opened
      ? checkProofs(opened.recorded, opened.minimal, opened.verdictsOf)
      : { refuted: [], unchecked: [] };
  const said =
    'findings' in opened
      ? [...opened.findings.refuted, ...opened.findings.unchecked]
      : [...opened.refuted, ...opened.unchecked];
  if (!isWhole && said.length + known.refuted.length + known.unchecked.length === 0)
    throw new Error('A damaged file was accepted as a claim that holds.');
}

const isSameJson = (text: string, whole: string): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(whole));
  } catch {
    return false;
  }
};

const proofs = [
  {
    proves: 'option',
    of: 'the result',
    outcome: 'fail' as const,
    set: 'kept',
    neighbours: [{ delta: 'option -a', name: 'less' }],
  },
];

function journal(scratch: string): Format {
  const run = join(scratch, 'run');
  const path = join(run, 'journal.jsonl');
  mkdirSync(run, { recursive: true });
  const request = { job: 'options', inputs: [], command: ['true'], options: {} };
  const written = Journal.create(path, {
    culprit: 2,
    job: 'options',
    argv: ['options'],
    cwd: '/',
    versions: {},
    request,
  });
  written.event({ type: 'began', job: 'options', before: { deltas: 2 }, rule: 'fail = exits with 3' });
  written.record('kept', { outcome: 'fail', seconds: 0.1 });
  written.event({ type: 'answered', step: 1, configuration: [0, 1], outcome: 'fail', known: false });
  written.record('less', { outcome: 'pass', reason: 'exits with 0' });
  written.event({ type: 'answered', step: 2, configuration: [], outcome: 'pass', known: false });
  written.noteAfter('claim', { proofs, original: ['all'] });
  const counts = { tests: 2, executed: 2, cached: 0, unresolved: 0, speculative: 0 };
  written.event({ type: 'ended', ended: 'done', minimal: ['option'], size: { deltas: 1 }, counts, seconds: 1 });
  written.close();
  const whole = readFileSync(path, 'utf8');
  return {
    name: 'journal',
    whole,
    isLines: true,
    use(text) {
      writeFileSync(path, text);
      refuseAccepted(run, text === whole);
    },
  };
}

function certificate(scratch: string): Format {
  const path = join(scratch, 'certificate.json');
  const artifact = pack({ files: new Map([['in.txt', { kind: 'file', bytes: Buffer.from('BOOM') }]]) });
  const whole = formatCertificate({
    certificate: 1,
    job: 'reduce',
    versions: { culprit: '0.1.0' },
    request: { inputs: ['in.txt'], command: ['./t.sh', '{}'], options: {} },
    first: { rule: { kind: 'exit', code: 3 }, described: 'fail = exits with 3', timeout: 60 },
    original: artifact,
    result: artifact,
    minimal: ['line'],
    promises: [{ pass: 'lines', proves: 'line', deltas: 1, neighbours: { 'an-empty-file': 'pass' } }],
  });
  return { name: 'certificate', whole, use: claimIn(path, whole) };
}

function proofCertificate(scratch: string): Format {
  const path = join(scratch, 'proofs.json');
  const whole = formatProofCertificate({
    certificate: 1,
    job: 'options',
    versions: { culprit: '0.1.0' },
    request: { inputs: [], command: ['./t.sh', '-a'] },
    described: 'fail = exits with 3',
    minimal: ['option'],
    proofs,
    original: ['all'],
    outcomes: { kept: 'fail', less: 'pass' },
  });
  return { name: 'certificate of proofs', whole, use: claimIn(path, whole) };
}

const claimIn = (path: string, whole: string) => (text: string) => {
  writeFileSync(path, text);
  // A file that does not begin as a certificate is taken for a result.
  if (!/^\{\s*"certificate":/.test(text)) return;
  refuseAccepted(path, isSameJson(text, whole));
};

function schedule(scratch: string): Format {
  const path = join(scratch, 'schedule.json');
  const whole = JSON.stringify({
    culprit: 'schedule',
    version: 1,
    way: 'node',
    command: ['node', 'app.js'],
    node: '20',
    slow: 100,
    epoch: 1,
    outcome: 'fail',
    otherwise: 'pass',
    sentence: 'Fails when a timer runs first.',
    late: [{ process: 'main', id: 'readFile 1', n: 3, event: 'callback' }],
  });
  return {
    name: 'schedule',
    whole,
    use(text) {
      writeFileSync(path, text);
      const { late, command, sentence, slow } = readSchedule(path);
      command.join(' ');
      sentence.trim();
      JSON.stringify([slow.toFixed(0), late.map(({ id, n, process }) => `${process} ${id} ${n + 1}`)]);
    },
  };
}

function known(scratch: string): Format {
  const whole = JSON.stringify({
    culprit: 'triage 1',
    command: ['./t.sh', '{}'],
    program: 'x',
    files: [
      { path: 'a', name: 'a', identity: 'i', bytes: 3, outcome: 'fail', signature: 's', text: 't', seconds: 0.1 },
    ],
    reductions: [
      {
        signature: 's',
        from: 'a',
        name: 'a',
        form: 'QUFB',
        minimal: ['line'],
        isDone: true,
        others: [{ from: 'b', form: 'QUFB' }],
      },
    ],
  });
  return {
    name: 'known.json of a triage',
    whole,
    use(text) {
      writeFileSync(join(scratch, 'known.json'), text);
      const read = readKnown(scratch);
      if (read) for (const { form, minimal } of fromKnown(read).reductions.values()) minimal.join(String(form.length));
    },
  };
}

function environment(): Format {
  return {
    name: 'environment',
    whole: JSON.stringify({ PATH: '/bin:/usr/bin', HOME: '/root', 'odd name': 'x', EMPTY: '' }),
    use: text => void Object.entries(parseEnvironment(text, 'x.env')).map(([name, value]) => `${name}=${value.trim()}`),
  };
}
