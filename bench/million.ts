import { spawnSync } from 'node:child_process';
import { type Configuration, has } from '../src/core/index.js';
import { Counter, explore } from '../src/engine/index.js';
import { simplify } from '../src/library/simplify.js';
import { ddmin, sweep } from '../src/strategies/index.js';

/**
 * A million deltas of which five are needed, with a test in this process: what the machinery itself costs. Each case
 * runs in a process of its own, and its time and memory count from before the input is made. Argument: deltas.
 */
const count = Number(process.argv[2] ?? 1_000_000);
const only = process.argv[3];
const needed = [0.07, 0.31, 0.312, 0.64, 0.93].map(share => Math.floor(share * count));

const bare = { name: 'delta', count, build: (configuration: Configuration) => configuration };
const judge = async (configuration: Configuration) =>
  needed.every(delta => has(configuration, delta)) ? ({ outcome: 'fail' } as const) : ({ outcome: 'pass' } as const);

async function engine(strategy: ReturnType<typeof sweep> | ReturnType<typeof ddmin>, workers = 1): Promise<string> {
  const counter = new Counter();
  const run = explore(strategy as ReturnType<typeof sweep>, bare, judge, { workers, counter });
  let tests = 0;
  for (;;) {
    const { value, done } = await run.next();
    if (!done) tests++;
    else return `${counter.counts.tests} tests, ${counter.started} run, ${tests} events, left ${value.best.join()}`;
  }
}

/** Letters of five sorts that are needed once each, in a text of dots. */
function text(): string {
  const letters = Buffer.alloc(count, '.');
  for (const [i, at] of needed.entries()) letters.write('abcde'[i]!, at);
  return letters.toString('latin1');
}
const holdsAll = (candidate: string) => [...'abcde'].every(letter => candidate.includes(letter));

const cases: Readonly<Record<string, () => Promise<string>>> = {
  'engine, sweep': () => engine(sweep()),
  'engine, sweep, 8 lanes, 8 workers': () => engine(sweep({ lanes: 8 }), 8),
  'engine, ddmin': () => engine(ddmin()),
  async 'simplify an array'() {
    const list = Array.from({ length: count }, (_, i) => i);
    const { value, tests } = await simplify(list, candidate => needed.every(each => candidate.includes(each)));
    return `${tests} tests, left ${value.join()}`;
  },
  async 'simplify a text by characters'() {
    const { value, tests } = await simplify(text(), holdsAll, { by: 'character' });
    return `${tests} tests, left ${value}`;
  },
  async 'simplify a text of as many lines'() {
    const lines = text().replace(/./g, '$&\n');
    const { value, tests } = await simplify(lines, holdsAll);
    return `${tests} tests, left ${JSON.stringify(value)}`;
  },
};

if (only) {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const said = await cases[only]!();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  const memory = (process.resourceUsage().maxRSS / 1024).toFixed(0);
  console.log(
    `${only.padEnd(38)}${seconds.padStart(7)} s${((user + system) / 1e6).toFixed(2).padStart(7)} s CPU${memory.padStart(6)} MB   ${said}`,
  );
} else {
  console.log(`${count} deltas, 5 needed; Node ${process.version}`);
  for (const name of Object.keys(cases))
    spawnSync(process.execPath, [process.argv[1]!, String(count), name], { stdio: 'inherit' });
}
