/**
 * npm run bench -- signals [each <n>] [--only <command>] [--cli <main.js>]
 * How long culprit takes to end after SIGINT, SIGTERM or SIGHUP, at random moments of every command: from the start of the process
 * to the confirmation of the result, and of searches over inputs that take long to read. It must be less than two seconds on a core
 * that has nothing else to do; the CPU time says how much of it is culprit's own. The built command line is used.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argsFor, type EveryCommand, everyCommand } from '../test/cli/every-command.js';
import { generator, leg, prepare, type Stage } from '../test/cli/killed-every.js';
import { signalledAt } from '../test/cli/signalled.js';

const args = process.argv.slice(2);
const value = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const main = resolve(value('--cli') ?? 'dist/cli/main.js');
const each = Number(value('each') ?? 20);
const only = value('--only')?.split(',');
const root = mkdtempSync(join(tmpdir(), 'culprit-signals-'));
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const random = generator(2_000);

const sourceCode = Array.from({ length: 20_000 }, (_, i) => `int f${i}(int a) { return a * ${i} + (a > ${i % 7}); }\n`);
const sourceData = Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `item ${i}`, tags: ['a', `t${i % 9}`] }));
const largeFiles: Readonly<Record<string, string>> = {
  'large.c': sourceCode.with(9_000, 'int BOOM;\n').join(''),
  'large.json': JSON.stringify(sourceData.with(7_000, { id: 7_000, name: 'BOOM', tags: [] })),
  'large.txt': sourceCode.with(9_000, 'BOOM\n').join(''),
  'large-good.txt': sourceCode.map(line => line.replace('return', 'give')).join(''),
  'large-old/a.c': sourceCode.map(line => line.replace('* ', '+ ')).join(''),
  'large-new/a.c': sourceCode.with(9_000, 'int BOOM;\n').join(''),
};
const large: readonly EveryCommand[] = [
  { name: 'reduce C of 1 MB', args: ['reduce', 'large.c', '--', './t.sh', '{}'] },
  { name: 'reduce JSON of 1 MB', args: ['reduce', 'large.json', '--', './t.sh', '{}'] },
  { name: 'isolate 1 MB', args: ['isolate', 'large-good.txt', 'large.txt', '--', './t.sh', '{}'] },
  { name: 'changes 1 MB', args: ['changes', 'large-old', 'large-new', '--', '{here}/t.sh', 'a.c'] },
];

let [slowest, busiest, sent] = [0, 0, 0];
let broken = 0;
try {
  for (const command of [...everyCommand, ...large]) if (only?.includes(command.name) ?? true) await measure(command);
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.log(`${sent} signals: at most ${slowest.toFixed(0)} ms to the end of the process, ${busiest} ms of CPU`);
process.exit(broken === 0 ? 0 : 1);

function stageFor(command: EveryCommand): Stage {
  const stage = { main, cwd: join(root, 'here'), command };
  prepare(stage);
  if (!large.includes(command)) return stage;
  for (const [name, content] of Object.entries(largeFiles)) {
    mkdirSync(join(stage.cwd, name, '..'), { recursive: true });
    writeFileSync(join(stage.cwd, name), content);
  }
  return stage;
}

async function measure(command: EveryCommand): Promise<void> {
  const start = (stage: Stage) => argsFor(command, stage.cwd, ['-j', '1', '--quiet']);
  const whole = stageFor(command);
  const began = performance.now();
  await leg(whole, start(whole), { mark: 'none' });
  const length = performance.now() - began;
  const times: number[] = [];
  let cpu = 0;
  for (let i = 0; i < each; i++) {
    const stage = stageFor(command);
    const moment = { isReached: () => true, milliseconds: random() * length };
    const ended = await signalledAt(stage, start(stage), { signal: signals[i % signals.length]!, ...moment });
    const { code, signal, stderr, processes, folders } = ended;
    // Before culprit's first line has run, Node ends as the system says.
    const isEarly = signal !== null && stderr === '' && !existsSync(join(stage.cwd, 'r'));
    if (!(code === 0 || code === 3 || isEarly) || processes.length > 0 || folders.length > 0) {
      broken++;
      console.log(
        `${command.name} ended with ${code ?? signal}, left ${processes.length} + ${folders.length}:\n${stderr}`,
      );
    }
    if (ended.milliseconds > 0) times.push(ended.milliseconds);
    cpu = Math.max(cpu, ended.cpu);
  }
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))]?.toFixed(0);
  console.log(
    `${command.name}: ${(length / 1000).toFixed(1)} s; ${times.length} signals: median ${at(0.5)} ms, maximum ${at(1)} ms, ${cpu} ms of CPU at most`,
  );
  slowest = Math.max(slowest, ...times);
  busiest = Math.max(busiest, cpu);
  sent += times.length;
}
