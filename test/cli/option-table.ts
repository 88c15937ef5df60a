/** The trials of every command. An option that is not in here fails the law (options-law.ts). */
import {
  type Check,
  flakyTrials,
  forks,
  onlyHereTrial,
  refusedTrials,
  ruleTrials,
  runTrials,
  type Trial,
  workerTrials,
} from './option-trials.js';

const script = ['./t.sh', '{}'];
const reduce = { head: ['reduce', 'in.txt'], command: script };
const isolate = { head: ['isolate', 'pass.txt', 'in.txt'], command: script, isFolder: true };
const changes = { head: ['changes', 'old', 'new'], command: ['./t.sh', 'in.txt'], isFolder: true };
const options = { head: ['options'], command: ['./t.sh', 'in.txt', '-a', '-b', '-c', '-d'] };
const env = { head: ['env', '--failing', 'ci.env'], command: ['./t.sh'] };
const states = {
  head: ['states', '--passing', 'works.txt', '--failing', 'fails.txt'],
  command: ['node', 'app.js', '{}'],
};
const schedules = { head: ['schedules'], command: ['node', 'race.js'] };
const tests = { head: ['tests'], command: ['node', '--test'] };
const send = { head: ['traffic', 'log.har', '--send'], command: ['node', 'app.js'] };
const actions = { head: ['actions', 'recording.json'], command: ['true'] };

const triage = { head: ['triage', 'in.txt'], command: script };
const worker = ['worker', 'redis://127.0.0.1:1'];

const tiny = ['reduce', 'tiny.js'];
const holdsFunction = ["grep -q 'function [a-zA-Z][a-zA-Z]*()' {} && exit 3"];

/** One run that is refused, or shows its option some other way. */
const one = (option: string, args: readonly string[], check: Check): Trial => ({ args, shows: { [option]: check } });
const pair = (first: string, other: string, args: readonly string[]): Trial => {
  const sentence = new RegExp(`${first} and ${other} cannot be combined`);
  return { args, shows: { [first]: sentence, [other]: sentence } };
};
const succeeds: Check = ({ code }) => code === 0;
/** With one worker, every test runs in the same workspace. */
const runsInOneFolder: Check = ({ log }) =>
  log.length > 1 && new Set(log.map(line => line.split(' in ')[1])).size === 1;
const tooShort = ['--timeout', '0.01'];
const explains =
  (text: RegExp): Check =>
  ({ code, stdout }) =>
    code === 0 && text.test(stdout);

const inputTrials = ({ head, command }: typeof reduce): readonly Trial[] => [
  one('--exclude', [...head, '--exclude', 'a', '--', ...command], /--exclude selects files of a folder/),
  one('--include', [...head, '--include', 'a', '--', ...command], /--include selects files of a folder/),
  one('--stdin', [...head, '--stdin', '--max-tests', '1', '--', 'cat'], /the command succeeds on the/),
];

const allTrials = ({ head, command }: typeof reduce): readonly Trial[] => [
  one('--limit', [...head, '--limit', '3', '--', ...command], /needs --all/),
  {
    args: [...head, '--all', '--limit', '1', '--json', '--', ...command],
    shows: { '--all': ({ json }) => json.causes !== undefined, '--limit': succeeds },
  },
];

const served = ['traffic', 'log.har', '--serve'];
const client = ['--', './client.sh', '{}'];
const stopped = ['reduce', 'in.txt', '--run', 'r', '--max-tests', '2', '-j', '1', '--', ...script];
const finished = ['reduce', 'in.txt', '--run', 'r', '--', ...script];

/** What `explain` prints with the option, and not without it; or who does not use it. */
const explained: readonly Trial[] = [
  one('--example', ['explain', '--example', 'sheet-dd'], explains(/dd/)),
  {
    args: ['explain', 'ddmin', '--deltas', '6', '--from', '3', '--fails', '4,7', '--markdown'],
    shows: {
      '--deltas': explains(/6 deltas/),
      '--from': ({ stdout }) => !/\{1\}/.test(stdout) && /result \{4, 7\}/.test(stdout),
      '--fails': explains(/needs \{4, 7\}/),
      '--markdown': explains(/^\|.*\|$/m),
    },
  },
  one('--or', ['explain', 'marco', '--fails', '3', '--or', '5,6'], explains(/\{3\} or \{5, 6\}/)),
  one('--needs', ['explain', 'ddmin', '--fails', '2', '--needs', '2:1'], explains(/result \{1, 2\}/)),
  one('--together', ['explain', 'ddmin', '--fails', '2', '--together', '1,2'], explains(/result \{1, 2\}/)),
  one('--required', ['explain', 'ddmin', '--fails', '2', '--required', '5'], explains(/result \{2, 5\}/)),
  one('--partly', ['explain', 'ddmin', '--fails', '1,7,8', '--partly', 'unresolved'], explains(/\?/)),
  ...([['--suspects', '1'], ['--fixpoint'], ['--lanes', '2'], ['--limit', '2']] as const).map(([option, ...value]) =>
    one(option, ['explain', 'ddmin', option, ...value], new RegExp(`ddmin does not use ${option}`)),
  ),
  ...(
    [
      ['--choose', 'smallest'],
      ['--round', 'complete'],
      ['--restart'],
      ['--larger-first'],
      ['--complements-of-two'],
      ['--half'],
    ] as const
  ).map(([option, ...value]) =>
    one(option, ['explain', 'ddlin', option, ...value], new RegExp(`ddlin does not use ${option}`)),
  ),
];

export const trials: Readonly<Record<string, readonly Trial[]>> = {
  reduce: [
    ...runTrials(reduce),
    ...ruleTrials(reduce),
    ...inputTrials(reduce),
    one('--level', ['reduce', 'in.txt', '--level', 'nonsense', '--', ...script], /argument 'nonsense' is invalid/),
    one('--by', ['reduce', 'in.txt', '--by', 'nonsense', '--', ...script], /argument 'nonsense' is invalid/),
    one('--language', ['reduce', 'in.txt', '--language', 'nonsense', '--', ...script], /nonsense/),
    one('--grammar', ['reduce', 'in.txt', '--grammar', 'in.txt', '--', ...script], /grammar/i),
    {
      args: ['reduce', 'in.txt', '--keep', '^a', '--by', 'line', '--json', '--', ...script],
      shows: {
        '--keep': ({ file }) => file('in.reduced.txt')!.startsWith('a\n'),
        '--by': ({ json }) => String(json.minimal) === 'line',
      },
    },
    one('--also', ['reduce', 'in.txt', '--also', 'nonsense', '--', ...script], /nonsense/),
    {
      args: ['reduce', 'in.txt', '--others', '2', '--json', '--by', 'line', '--', ...script],
      shows: { '--others': ({ json }) => json.others !== undefined },
    },
    one(
      '--no-format',
      [...tiny, '--no-format', '--', ...holdsFunction],
      ({ file }) => !file('tiny.reduced.js')!.includes(' {'),
    ),
    one(
      '--no-values',
      ['reduce', 'twice.js', '--no-values', '--', "node {} | grep -q '^abab$' && exit 3"],
      ({ file }) => file('twice.reduced.js')!.includes('repeat(2)'),
    ),
    one(
      '--no-unpack',
      ['reduce', 'in.gz', '--no-unpack', '--max-tests', '5', '--', 'gzip -dc {} | grep -q BOOM && exit 3'],
      ({ stderr, code }) => code === 3 && !stderr.includes('gzip file'),
    ),
    one('--no-rename', [...tiny, '--no-rename', '--', ...holdsFunction], ({ file }) =>
      file('tiny.reduced.js')!.includes('longName'),
    ),
  ],
  isolate: [
    ...runTrials(isolate),
    ...ruleTrials(isolate),
    ...inputTrials(isolate),
    ...allTrials(isolate),
    one(
      '--no-unpack',
      ['isolate', 'pass.gz', 'in.gz', '--no-unpack', '--', 'gzip -dc {} | grep -q BOOM && exit 3; exit 0'],
      ({ stderr }) => stderr.includes('by byte') && !stderr.includes('gzip file'),
    ),
    one('--smallest', [...isolate.head, '--smallest', '--json', '--', ...script], ({ json }) => {
      const { after } = json as { after?: { bytes: number } };
      return after !== undefined && after.bytes <= 5;
    }),
  ],
  changes: [
    ...runTrials(changes),
    ...ruleTrials(changes),
    ...allTrials(changes),
    one(
      '--prevent',
      [...changes.head, '--prevent', '--all', '--', ...script],
      /--all and --prevent cannot be combined/,
    ),
    one('--coverage', [...changes.head, '--coverage', 'nonsense', '--', ...script], /argument 'nonsense' is invalid/),
    one(
      '--granularity',
      [...changes.head, '--granularity', 'nonsense', '--', ...script],
      /argument 'nonsense' is invalid/,
    ),
    one('--into', [...changes.head, '--into', '--', ...changes.command], /--into .* needs two lockfiles/),
    one('--sarif', [...changes.head, '--sarif', 'taken.txt', '--', ...changes.command], /taken\.txt/),
    one('--build', [...changes.head, '--build', 'false', '--', ...changes.command], /build/),
  ],
  options: [
    ...runTrials(options),
    ...ruleTrials(options),
    ...allTrials(options),
    one('--prevent', ['options', '--prevent', '--', './t.sh', 'in.txt'], /--prevent needs options to try/),
    one('--try', ['options', '--try', '-x', '--', './t.sh', 'in.txt'], /--try needs --prevent/),
    one('--try-file', ['options', '--prevent', '--try-file', 'none.txt', '--', './t.sh'], /none\.txt/),
    one('--try-help', ['options', '--prevent', '--try-help', 'false', '--', './t.sh', 'in.txt'], /false/),
    one(
      '--try-only',
      ['options', '--prevent', '--try-file', 'tries.txt', '--try-only', '(', '--', './t.sh'],
      /--try-only/,
    ),
    one('--values-from', ['options', '--values-from', 'none-such', '--', './t.sh', 'in.txt'], /none-such/),
    one('--keep', ['options', '--keep', '(', '--', './t.sh', 'in.txt'], /--keep/),
  ],
  env: [
    ...runTrials(env),
    ...ruleTrials(env),
    ...allTrials({ ...env, head: ['env', '--failing', 'ci.env'] }),
    one('--prevent', ['env', '--prevent', '--', './t.sh'], /--prevent needs variables to try/),
    one('--try', ['env', '--try', 'A=1', '--', './t.sh'], /--try needs --prevent/),
    one('--try-file', ['env', '--prevent', '--try-file', 'none.env', '--', './t.sh'], /none\.env/),
    one('--failing', ['env', '--failing', 'none.env', '--', './t.sh'], /none\.env/),
    one('--passing', ['env', '--passing', 'none.env', '--', './t.sh'], /none\.env/),
    one(
      '--names-only',
      ['env', '--failing', 'ci.env', '--names-only', '--json', '--', './t.sh'],
      ({ json }) =>
        JSON.stringify(json.minimal).includes('variable') && !JSON.stringify(json.minimal).includes('character'),
    ),
  ],
  states: [
    ...refusedTrials(states).filter(({ shows }) => !('--strategy' in shows)),
    ...ruleTrials(states).slice(0, 1),
    ...workerTrials(states),
    ...(
      [
        ['--repeat', '2'],
        ['--flaky', 'off'],
        ['--confidence', '0.9'],
      ] as const
    ).map(([option, value]) =>
      one(
        option,
        [...states.head, option, value, '--', ...states.command],
        new RegExp(`states does not take ${option}`),
      ),
    ),
    one('--hang', [...states.head, '--hang', '--', ...states.command], /states does not take --hang/),
    one('--differs', [...states.head, '--differs', 'true', '--', ...states.command], /states does not take --differs/),
    one('--strategy', [...states.head, '--strategy', 'dd', '--', ...states.command], /states does not take --strategy/),
    one('--signal', [...states.head, '--signal', 'SIGNONE', '--', ...states.command], /SIGNONE/),
    pair('--interesting', '--bisect', [...states.head, '--interesting', '--bisect', '--', ...states.command]),
    one(
      '--passing',
      ['states', '--passing', 'none.txt', '--failing', 'fails.txt', '--', ...states.command],
      /none\.txt/,
    ),
    one(
      '--failing',
      ['states', '--passing', 'works.txt', '--failing', 'none.txt', '--', ...states.command],
      /none\.txt/,
    ),
    one(
      '--in',
      [...states.head, '--in', 'none*.js', '--', ...states.command],
      /No statement of the program is in the files/,
    ),
    one('--with', [...states.head, '--with', 'nonsense', '--', ...states.command], /--with nonsense/),
    one('--processes', [...states.head, '--processes', '3', '--', ...forks], /--processes/),
    {
      args: [
        ...[...states.head, '-j', '1', '--memory', '900', '--timeout', '27', '--verbose', '--no-cache'],
        ...['--force', '--output', 'taken.txt', '--places', '2', '--json', '--', 'node', '-r', './note.js'],
        ...['app.js', '{}'],
      ],
      shows: {
        '--jobs': ({ json }) => json.speculative === 0,
        '--memory': ({ log }) => log.some(line => line.startsWith('d=921600 ')),
        '--timeout': ({ stderr }) => stderr.includes('timeout 27 s per test'),
        '--verbose': ({ stderr }) => /^ +1 +[✓✗?] /m.test(stderr),
        '--no-cache': ({ json }) => json.cached === 0,
        '--force': ({ file }) => file('taken.txt') !== 'mine\n',
        '--places': ({ json }) => (json as { places?: { examined: number } }).places?.examined === 2,
      },
    },
    {
      args: [
        ...states.head,
        '--max-tests',
        '1',
        '--sandbox',
        '--json',
        '--',
        'node',
        '-r',
        './note.js',
        'app.js',
        '{}',
      ],
      shows: { '--max-tests': ({ code }) => code === 3, '--sandbox': ({ log }) => log.length === 0 },
    },
    {
      args: [...states.head, '--max-time', '0.01', '--quiet', '--json', '--', ...states.command],
      shows: {
        '--max-time': ({ code, json }) => code === 3 && json.ended === 'budget',
        '--quiet': ({ stderr }) => !/^ +rule|tests in/m.test(stderr),
      },
    },
  ],
  schedules: [
    ...refusedTrials(schedules),
    onlyHereTrial(schedules),
    ...ruleTrials(schedules).slice(0, 3),
    ...(
      [
        ['--repeat', '2'],
        ['--flaky', 'off'],
        ['--confidence', '0.9'],
      ] as const
    ).map(([option, value]) =>
      one(
        option,
        ['schedules', option, value, '--', ...schedules.command],
        new RegExp(`${option} is not for schedules`),
      ),
    ),
    one('--no-cache', ['schedules', '--no-cache', '--', ...schedules.command], /--no-cache is not for schedules/),
    one('--differs', ['schedules', '--differs', 'true', '--', ...schedules.command], /--differs compares two commands/),
    one('--inspect-brk', ['schedules', '--inspect-brk', '--', ...schedules.command], /--inspect-brk needs a schedule/),
    one('--replay', ['schedules', '--replay', 'taken.txt'], /taken\.txt is not a schedule/),
    one('--timeout', ['schedules', ...tooShort, '--', ...schedules.command], /does not end within 0\.01 s/),
    one('--slow', ['schedules', '--slow', 'x', '--', ...schedules.command], /--slow x is not a time/),
    one('--threads', ['schedules', '--threads', '--', 'none'], /none/),
    one('--processes', ['schedules', '--processes', '3', '--', ...forks], /--processes/),
    one('--replays', ['schedules', '--replays', '0', '--', ...schedules.command], /--replays 0/),
    {
      args: [
        ...['schedules', '--tries', '5', '-j', '1', '--memory', '4000', '--verbose', '--max-tests', '1'],
        ...['--force', '--output', 'taken.txt', '--json', '--', 'node', '-r', './note.js', 'race.js'],
      ],
      shows: {
        '--tries': ({ json }) => json.tries === 5,
        '--jobs': ({ json }) => json.speculative === 0,
        '--memory': ({ log }) => log.some(line => line.startsWith('d=4096000 ')),
        '--verbose': ({ stderr }) => stderr.includes('schedule 1 of 5'),
        '--max-tests': ({ code }) => code === 3,
        '--force': ({ code }) => code !== 2,
      },
    },
    {
      args: [
        'schedules',
        '--max-time',
        '0.01',
        '--sandbox',
        '--quiet',
        '--json',
        '--',
        'node',
        '-r',
        './note.js',
        'race.js',
      ],
      shows: {
        '--max-time': ({ code, json }) => code === 3 && json.ended === 'budget',
        '--sandbox': ({ log }) => log.length === 0,
        '--quiet': ({ stderr }) => !/tests? in/m.test(stderr),
      },
    },
  ],
  tests: [
    ...refusedTrials(tests),
    ...workerTrials(tests),
    ...flakyTrials(tests),
    one('--shuffle', ['tests', '--shuffle', '2', '--', ...tests.command], /--shuffle does not work with node/),
    one('--timeout', ['tests', ...tooShort, '--', ...tests.command], /did not end in time/),
    one('--test', ['tests', '--test', 'zzz', '--', ...tests.command], /zzz/),
    one('--processes', ['tests', '--processes', '2', '--', ...tests.command], /--processes|no test/),
    {
      args: [
        ...['tests', '-j', '1', '--memory', '4000', '--verbose', '--no-cache'],
        ...['--force', '--output', 'taken.txt', '--json', '--', ...tests.command],
      ],
      env: { NODE_OPTIONS: '--require ./note.js' },
      shows: {
        '--jobs': ({ json }) => json.speculative === 0,
        '--memory': ({ log }) => log.some(line => line.startsWith('d=4096000 ')),
        '--verbose': ({ stderr }) => /^ +1 +[✓✗?] /m.test(stderr),
        '--no-cache': ({ json }) => json.cached === 0,
        '--force': ({ file }) => file('taken.txt') !== 'mine\n',
      },
    },
    {
      args: ['tests', '--max-tests', '1', '--sandbox', '--json', '--', ...tests.command],
      shows: { '--max-tests': ({ code }) => code === 3, '--sandbox': ({ log }) => log.length === 0 },
    },
    {
      args: ['tests', '--max-time', '0.01', '--quiet', '--json', '--', ...tests.command],
      shows: {
        '--max-time': ({ code }) => code === 3,
        '--quiet': ({ stderr }) => !/tests? in/m.test(stderr),
      },
    },
  ],
  explain: [
    { args: ['explain', 'ddmin', '--json'], shows: { '--json': ({ json }) => json.algorithm === 'ddmin' } },
    ...explained,
  ],
  traffic: [
    ...refusedTrials(send),
    onlyHereTrial(send),
    ...flakyTrials(send),
    pair('--send', '--serve', [...send.head, '--serve', '--', ...send.command]),
    pair('--crash', '--body', [...send.head, '--crash', '--body', 'x', '--', ...send.command]),
    pair('--status', '--stderr', [...send.head, '--status', '500', '--stderr', 'x', '--', ...send.command]),
    one('--missing', [...send.head, '--missing', '404', '--', ...send.command], /--missing needs --serve/),
    one(
      '--allow-host',
      ['traffic', 'log.har', '--serve', '--allow-host', 'x', '--', 'true'],
      /--allow-host needs --send/,
    ),
    one('--sandbox', [...send.head, '--sandbox', '--', ...send.command], /--sandbox is not available for traffic/),
    one('--memory', [...send.head, '--memory', '9', '--', ...send.command], /--memory is not available for traffic/),
    {
      args: [...served, '-j', '1', '--verbose', '--no-cache', '--json', ...client],
      shows: {
        '--jobs': ({ json }) => json.speculative === 0,
        '--verbose': ({ stderr }) => /^ +1 +[✓✗?] /m.test(stderr),
        '--no-cache': ({ json }) => json.cached === 0,
      },
    },
    {
      args: [...served, '--max-tests', '1', '--force', '--output', 'taken.txt', '--json', ...client],
      shows: {
        '--max-tests': ({ code }) => code === 3,
        '--force': ({ file }) => file('taken.txt') !== 'mine\n',
      },
    },
    {
      args: [...served, '--max-time', '0.01', '--quiet', '--json', ...client],
      shows: { '--max-time': ({ code }) => code === 3, '--quiet': ({ stderr }) => !/tests? in/m.test(stderr) },
    },
    one('--timeout', [...served, ...tooShort, '--', 'sleep 1; ./client.sh {}'], /the program did not end in time/),
    one('--processes', [...served, '--processes', '2', '--', ...forks], /--processes/),
  ],
  actions: [
    ...refusedTrials(actions),
    onlyHereTrial(actions),
    ...flakyTrials(actions),
    pair('--crash', '--hang', ['actions', 'recording.json', '--crash', '--hang']),
    pair('--fails-when', '--exception', ['actions', 'recording.json', '--fails-when', 'x', '--exception']),
    pair('--console', '--request', ['actions', 'recording.json', '--console', '--request']),
    one('--dialog', ['actions', 'recording.json', '--dialog', '('], /--dialog/),
    ...['--interesting', '--bisect', '--match=x', '--exit=1', '--signal=SIGSEGV'].map(each =>
      one(each.split('=')[0]!, ['actions', 'recording.json', each], /needs a command after/),
    ),
    {
      needs: 'browser',
      args: [
        ...['actions', 'recording.json', '-j', '1', '--verbose', '--no-cache'],
        ...['--force', '--output', 'taken.txt', '--json'],
      ],
      shows: {
        '--jobs': ({ json }) => json.speculative === 0,
        '--verbose': ({ stderr }) => /^ +1 +[✓✗?] /m.test(stderr),
        '--no-cache': ({ json }) => json.cached === 0,
        '--force': ({ file }) => file('taken.txt') !== 'mine\n',
      },
    },
    {
      needs: 'browser',
      args: ['actions', 'recording.json', '--max-tests', '1', '--quiet', '--json'],
      shows: { '--max-tests': ({ code }) => code === 3, '--quiet': ({ stderr }) => !/tests? in/m.test(stderr) },
    },
    {
      needs: 'browser',
      args: ['actions', 'recording.json', '--max-time', '0.01', '--json'],
      shows: { '--max-time': ({ code }) => code === 3 },
    },
    {
      needs: 'browser',
      args: ['actions', 'recording.json', ...tooShort],
      shows: { '--timeout': /does not load: Timeout 10ms exceeded/ },
    },
    one('--patience', ['actions', 'recording.json', '--patience', 'x'], /--patience x/),
    ...['--sandbox', '--memory=9', '--processes=9'].map(each =>
      one(each.split('=')[0]!, ['actions', 'recording.json', each], /is not available for actions/),
    ),
  ],
  record: [
    one('--output', ['record', 'page.html', '--output', 'taken.txt'], /taken\.txt/),
    one('--typing', ['record', 'page.html', '--typing', 'nonsense'], /argument 'nonsense' is invalid/),
  ],
  resume: [
    {
      before: [stopped],
      args: ['resume', 'r', '--max-tests', '4', '-j', '1'],
      shows: {
        '--max-tests': ({ code, stderr }) => code === 3 && / 4 tests/.test(stderr),
        '--jobs': runsInOneFolder,
      },
    },
    {
      before: [stopped],
      args: ['resume', 'r', '--max-time', '0.01'],
      shows: { '--max-time': ({ code }) => code === 3 },
    },
    {
      before: [stopped],
      args: ['resume', 'r', '--workers', 'redis://127.0.0.1:1'],
      shows: { '--workers': /no key to sign with/ },
    },
  ],
  worker: [
    one('--jobs', [...worker, '-j', 'x'], /--jobs x/),
    one('--trust', [...worker, '--allow', 'sh', '--trust', 'none.pub'], /The key none\.pub can't be read/),
    one('--allow', [...worker, '--allow', 'sh'], /This worker trusts nobody/),
    one('--metrics', [...worker, '--metrics', 'x'], /--metrics x/),
    one('--status', [...worker, '--status'], /No Redis answers/),
    {
      args: ['worker', '--keygen', 'pair'],
      shows: { '--keygen': ({ file }) => file('pair.key') !== undefined && file('pair.pub') !== undefined },
    },
    {
      before: [['worker', '--keygen', 'pair']],
      args: [...worker, '--trust', 'pair.pub', '--allow', 'sh', '--key', 'none.key'],
      shows: { '--key': /The key none\.key can't be read/ },
    },
  ],
  triage: [
    ...refusedTrials(triage).filter(({ shows }) => !('--output' in shows)),
    ...workerTrials(triage),
    ...(
      [['--output', 'x'], ['--flaky', 'off'], ['--confidence', '0.9'], ['--repeat', '2'], ['--no-cache']] as const
    ).map(([option, ...value]) =>
      one(option, [...triage.head, option, ...value, '--', ...script], new RegExp(`${option} does not apply`)),
    ),
    ...['--level', '--by'].map(option =>
      one(option, [...triage.head, option, 'nonsense', '--', ...script], /argument 'nonsense' is invalid/),
    ),
    one('--language', [...triage.head, '--language', 'nonsense', '--', ...script], /no language called "nonsense"/),
    one('--keep', [...triage.head, '--keep', '(', '--', ...script], /--keep is not a regular expression/),
    one('--reports', [...triage.head, '--reports', 'none', '--', ...script], /There is no folder none/),
    one('--max-tests-per-group', [...triage.head, '--max-tests-per-group', 'x', '--', ...script], /-group x is not/),
    one('--max-time-per-group', [...triage.head, '--max-time-per-group', 'x', '--', ...script], /-group x is not/),
    {
      args: [
        ...[...triage.head, '--all', '--out', 'found', '-j', '1', '--memory', '300', '--timeout', '7', '--verbose'],
        ...['--json', '--', ...script],
      ],
      shows: {
        '--all': ({ json }) => json.ended === 'done',
        '--out': ({ file }) => file('found/triage.json') !== undefined,
        '--jobs': ({ json }) => json.speculative === 0,
        '--memory': ({ log }) => log.some(line => line.startsWith('d=307200 ')),
        '--timeout': ({ stderr }) => stderr.includes('timeout 7 s per file'),
        '--verbose': ({ stderr }) => /^ +1 +[✓✗?] /m.test(stderr),
      },
    },
    {
      args: [...triage.head, '--sandbox', '--max-tests', '1', '--quiet', '--json', '--', ...script],
      shows: {
        '--sandbox': ({ log }) => log.length === 0,
        '--max-tests': ({ code }) => code === 3,
        '--quiet': ({ stderr }) => !/^ +rule|tests in/m.test(stderr),
      },
    },
    {
      args: [...triage.head, '--max-time', '0.01', '--out', 'taken', '--json', '--', ...script],
      shows: { '--out': /taken/ },
    },
    {
      args: [...triage.head, '--max-time', '0.01', '--json', '--', ...script],
      shows: { '--max-time': ({ code }) => code === 3 },
    },
    {
      args: [...triage.head, '--processes', '3', '--json', '--', 'sh', '-c', `${forks[2]} # {}`],
      shows: { '--processes': ({ stdout, stderr }) => /process/.test(stdout + stderr) },
    },
    {
      before: [[...triage.head, '--json', '--', ...script]],
      args: [...triage.head, '--force', '--json', '--', ...script],
      shows: { '--force': ({ json }) => Number(json.executed) > 1 },
    },
  ],
  report: [
    {
      before: [stopped],
      args: ['report', 'r', '--open'],
      env: { DISPLAY: '', WAYLAND_DISPLAY: '' },
      shows: { '--open': explains(/No browser found/) },
    },
  ],
  verify: [
    one('--rerun', ['verify', 'r', '--rerun', 'nonsense'], /--rerun nonsense/),
    {
      before: [finished],
      args: ['verify', 'r', '--rerun', 'result', '--json', '--quiet', '--sandbox', '--certificate', 'c.json'],
      shows: {
        '--json': ({ json }) => json.job === 'verify',
        '--quiet': ({ stderr }) => stderr === '',
        '--certificate': ({ file }) => file('c.json') !== undefined,
        '--sandbox': ({ json, log }) => json.state !== undefined && log.length === 0,
      },
    },
    {
      before: [finished],
      args: ['verify', 'r', '--rerun', 'all', '-j', '1'],
      shows: { '--jobs': runsInOneFolder },
    },
  ],
};

/** Options that other tests prove, because a run with them does not end by itself, or needs a Redis (test/remote). */
export const elsewhere: Readonly<Record<string, readonly string[]>> = {
  report: ['--live'],
  resume: ['--no-workers'],
  worker: ['--name', '--no-sandbox'],
};
