import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { cyclesIn, type Import, importsOf, isLocal, readSources, roomOf, subRoomOf } from './imports.js';

const root = fileURLToPath(new URL('../../src', import.meta.url));
const sources = readSources(root);
const all = importsOf(sources);

/** Which rooms a room may import from. Nothing points back (docs/architecture.md). */
const arrows: Readonly<Record<string, readonly string[]>> = {
  core: [],
  strategies: ['core'],
  engine: ['core'],
  syntax: ['core'],
  sources: ['core'],
  circumstances: ['core', 'sources'],
  reductions: ['core', 'syntax', 'circumstances'],
  run: ['core', 'engine', 'sources'],
  oracle: ['core', 'sources', 'circumstances', 'run'],
  remote: ['core', 'engine', 'sources', 'run', 'oracle'],
  report: ['core', 'engine', 'run', 'syntax'],
  plans: [
    ...['core', 'strategies', 'engine', 'syntax', 'sources', 'circumstances', 'reductions'],
    ...['run', 'oracle', 'report'],
  ],
  library: ['core', 'strategies', 'circumstances', 'engine', 'plans'],
  cli: ['core', 'strategies', 'engine', 'sources', 'circumstances', 'run', 'oracle', 'remote', 'plans', 'report'],
};

/** Rooms that another one knows by its types only. */
const typesOnly: Readonly<Record<string, readonly string[]>> = { plans: ['report'] };

/** Which sub-rooms a sub-room may import from, beside the files of its own room. */
const subArrows: Readonly<Record<string, readonly string[]>> = {
  'oracle/signature': ['oracle/process'],
  'oracle/command': ['oracle/process', 'oracle/signature'],
  'oracle/http': ['oracle/signature'],
  'oracle/schedules': ['oracle/command', 'oracle/process', 'oracle/signature'],
  'oracle/states': ['oracle/command', 'oracle/schedules'],
  'oracle/test-runners': ['oracle/command', 'oracle/process'],
  'plans/changes': ['plans/causes', 'plans/prevent'],
  'plans/environment': ['plans/causes', 'plans/prevent'],
  'plans/isolate': ['plans/causes'],
  'plans/options': ['plans/causes', 'plans/prevent'],
  'plans/reduce': ['plans/environment', 'plans/options'],
  'plans/states': ['plans/isolate'],
  'plans/triage': ['plans/reduce'],
  'reductions/cross-file': ['reductions/text', 'reductions/tree'],
  'sources/har': ['sources/environment'],
  'sources/packages': ['sources/versions'],
  'sources/versions': ['sources/archives'],
  'syntax/names': ['syntax/languages'],
  'syntax/units': ['syntax/names'],
  'syntax/versions': ['syntax/names'],
  'cli/commands': ['cli/explain', 'cli/completion'],
};

/** Modules that reach out of the process, and the rooms that own such effects. */
const effects = /^(node:)?(child_process|net|http|https|http2|tls|dgram|worker_threads|inspector)$|^playwright/;
const effectful: readonly string[] = ['oracle', 'sources', 'remote'];
/** Files elsewhere that need one, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'run/lock.ts': 'an OS lock is held by a process',
  'report/open.ts': 'opens the page in a browser',
  'report/live.ts': 'serves the live page',
  'report/keys.ts': 'asks ps whether the terminal is ours',
  'library/vitest.ts': 'runs culprit itself, if CULPRIT=1 asks for it',
  'plans/schedules/replay.ts': 'runs the program once, for the user to watch',
};

/** Everything that is wrong with the imports of a source tree, in sentences. */
function faultsIn(imports: readonly Import[]): readonly string[] {
  const faults: string[] = [];
  for (const each of imports) {
    const { from, to, kind } = each;
    const room = roomOf(from);
    if (kind === 'side effect') faults.push(`src/${from} imports ${to} for its side effects only.`);
    if (effects.test(to) && kind !== 'type' && !effectful.includes(room) && !(from in exceptions))
      faults.push(`src/${from} imports ${to}, but only ${effectful.join(', ')} may reach out of the process.`);
    if (!isLocal(each) || room === '') continue;
    const other = roomOf(to);
    if (other !== room && !arrows[room]?.includes(other))
      faults.push(
        `src/${from} imports from ${other}/, but ${room}/ may only import from: ${arrows[room]?.join(', ') || 'nothing'}.`,
      );
    if (kind !== 'type' && typesOnly[room]?.includes(other))
      faults.push(`src/${from} imports a value from ${other}/, of which ${room}/ may only know types.`);
    const [sub, otherSub] = [subRoomOf(from), subRoomOf(to)];
    if (other === room && sub !== '' && otherSub !== '' && sub !== otherSub && !subArrows[sub]?.includes(otherSub))
      faults.push(
        `src/${from} imports from ${otherSub}/, but ${sub}/ may only import from: ${subArrows[sub]?.join(', ') || `files of ${room}/ itself`}.`,
      );
  }
  for (const cycle of cyclesIn(imports))
    faults.push(`These files import each other in a circle: ${cycle.join(' → ')}.`);
  return faults;
}

test('arrows between rooms and sub-rooms point one way, without circles, and effects stay in their rooms', () => {
  expect(faultsIn(all)).toEqual([]);
});

test('no permission is left that nobody uses', () => {
  const imports = all.filter(isLocal);
  const used = new Set(
    imports.flatMap(({ from, to }) => [`${roomOf(from)} → ${roomOf(to)}`, `${subRoomOf(from)} → ${subRoomOf(to)}`]),
  );
  const given = [...Object.entries(arrows), ...Object.entries(subArrows), ...Object.entries(typesOnly)];
  const idle = given.flatMap(([from, rooms]) => rooms.map(to => `${from} → ${to}`).filter(arrow => !used.has(arrow)));
  const reaching = new Set(all.flatMap(({ from, to }) => (effects.test(to) ? [from] : [])));
  expect([...idle, ...Object.keys(exceptions).filter(file => !reaching.has(file))]).toEqual([]);
});

test('core and strategies import nothing but each other: they run wherever JavaScript runs', () => {
  const wrong = all.filter(each => /^(core|strategies)\//.test(each.from) && !isLocal(each));
  expect(wrong.map(({ from, to }) => `src/${from} imports ${to}.`)).toEqual([]);
});

test('every room is listed in the architecture', () => {
  const rooms = readdirSync(root, { withFileTypes: true }).flatMap(each => (each.isDirectory() ? [each.name] : []));
  expect(rooms.filter(room => !(room in arrows))).toEqual([]);
});

describe('a planted wrong import is seen', () => {
  const planted = (file: string, text: string) => faultsIn([...all, ...importsOf(new Map([[file, text]]))]);
  test.each([
    ['a room', 'core/x.ts', "import { explore } from '../engine/explore.js';", 'core/ may only import from: nothing'],
    [
      'a sub-room',
      'oracle/process/x.ts',
      "import '../http/judge.js';\nimport { judge } from '../http/judge.js';",
      'oracle/process/ may only import from',
    ],
    ['a side effect', 'plans/x.ts', "import '../engine/explore.js';", 'for its side effects only'],
    ['the network', 'plans/x.ts', "import { connect } from 'node:net';", 'may reach out of the process'],
    ['a lazy process', 'cli/x.ts', "const run = await import('node:child_process');", 'may reach out of the process'],
    [
      'a value of a room known by types',
      'plans/x.ts',
      "import { Terminal } from '../report/terminal.js';",
      'may only know types',
    ],
    [
      'a re-export',
      'strategies/x.ts',
      "export { judge } from '../oracle/http/judge.js';",
      'strategies/ may only import from: core',
    ],
  ])('%s', (_, file, text, sentence) => {
    expect(planted(file, text).join('\n')).toContain(sentence);
  });

  test('a circle', () => {
    const circle = importsOf(
      new Map([
        ['core/a.ts', "export * from './b.js';"],
        ['core/b.ts', "export * from './a.js';"],
      ]),
    );
    expect(faultsIn([...all, ...circle]).join('\n')).toContain('core/a.ts → core/b.ts → core/a.ts');
  });
});
