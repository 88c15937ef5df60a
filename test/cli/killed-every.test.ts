/** A part of what `npm run bench -- hygiene` does: 60 kills over all commands. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBrowser } from '../../src/oracle/browser/browser-path.js';
import { folderWith, main } from './culprit.js';
import { everyCommand } from './every-command.js';
import { generator, killedEvery, pausesFrom, uninterrupted } from './killed-every.js';

/** Runs that start Node or a browser for each test cost ten times as much, so they are killed less often. */
const killsOf = (name: string): number => ({ actions: 2, states: 2, tests: 3, schedules: 3 })[name] ?? 6;

const commands = everyCommand.filter(({ name }) => name !== 'actions' || findBrowser() !== undefined);

test.each(commands.map((command, i) => ({ ...command, seed: 100 + i })))(
  '$name killed with -9 again and again ends as if nothing had happened',
  async ({ seed, ...command }) => {
    const stage = { main, cwd: join(folderWith(), 'here'), command };
    const whole = await uninterrupted(stage);
    const random = generator(seed);
    const wanted = killsOf(command.name);
    let made = 0;
    for (let runs = 0; made < wanted && runs < 4; runs++) {
      const { finished, kills, ...survival } = await killedEvery(stage, whole, pausesFrom(random, wanted - made));
      expect(survival).toEqual({ again: 0, processes: [], folders: [] });
      expect(finished.results).toEqual(whole.results);
      expect(finished.transcript).toEqual(whole.transcript);
      made += kills;
    }
    expect(made).toBe(wanted);
  },
  300_000,
);
