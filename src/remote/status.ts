/** `culprit worker --status`: which workers and runs a Redis currently knows. */
import { counted } from '../core/phrases.js';
import { number, object, string } from '../core/schema.js';
import { connect, names, shownUrl } from './redis.js';

const worker = object({ name: string, slots: number, busy: number, runs: number, tests: number, refused: number });
const run = object({ command: string, out: number, workers: number });

/** Lines for people. */
export async function statusOf(url: string): Promise<readonly string[]> {
  const connection = await connect(url);
  try {
    const { redis } = connection;
    const all = async <T>(pattern: string, reader: (value: unknown) => T): Promise<readonly T[]> => {
      const found: T[] = [];
      for await (const keys of redis.scanStream({ match: pattern }))
        for (const key of keys as string[]) {
          try {
            found.push(reader(JSON.parse((await redis.get(key)) ?? '')));
          } catch {
            // Expired in the meantime, or not ours.
          }
        }
      return found;
    };
    const workers = await all(names.worker('*'), worker);
    const runs = await all(names.run('*'), run);
    const slots = workers.reduce((sum, each) => sum + each.slots, 0);
    const busy = workers.reduce((sum, each) => sum + each.busy, 0);
    return [
      `${shownUrl(url)}: ${counted(workers.length, 'worker')} with ${counted(slots, 'slot')}, ${busy} busy; ${counted(runs.length, 'run')}`,
      ...[...workers]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(
          each =>
            `  ${each.name}: ${each.busy} of ${counted(each.slots, 'slot')} busy, ${counted(each.tests, 'test')} run, ${each.refused} refused`,
        ),
      ...runs.map(
        each =>
          `  run: ${each.command.slice(0, 80)}: ${counted(each.out, 'test')} out, ${counted(each.workers, 'worker')}`,
      ),
    ];
  } finally {
    await connection.close();
  }
}
