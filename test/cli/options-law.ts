/**
 * The law of options: every option that a command lists changes something, or is refused with a sentence. Nothing is ignored.
 * The commands are spread over three test files, which run in parallel.
 */
import { chmodSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../../src/cli/program.js';
import { withoutBrowser } from '../oracle/browser/hands.js';
import { cache, culprit, folderWith, lines } from './culprit.js';
import { elsewhere, trials } from './option-table.js';
import { filesIn, read, type Seen, type Trial } from './option-trials.js';

const optionsOf = (name: string): readonly string[] =>
  program()
    .commands.find(command => command.name() === name)!
    .options.map(option => option.long ?? option.short!);

function write(cwd: string, name: string, content: string | Uint8Array): void {
  const path = join(cwd, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  if (typeof content === 'string' && content.startsWith('#!')) chmodSync(path, 0o755);
}

async function run(trial: Trial): Promise<Seen> {
  const cwd = realpathSync(folderWith({}, cache));
  // Not in /tmp, which --sandbox hides.
  for (const [name, content] of Object.entries(filesIn(cwd))) write(cwd, name, content);
  const how = { cwd, ...(trial.env ? { env: trial.env } : {}) };
  for (const args of trial.before ?? []) await culprit(args, how);
  rmSync(join(cwd, 'log'), { force: true });
  const { code, stdout, stderr } = await culprit(trial.args, how);
  const last = stdout.trim().split('\n').at(-1) ?? '';
  return {
    code,
    stdout,
    stderr,
    cwd,
    json: last.startsWith('{') ? JSON.parse(last) : {},
    log: read(cwd, 'log') === undefined ? [] : lines(join(cwd, 'log')),
    file: name => read(cwd, name),
  };
}

const ofInputs = ['reduce', 'isolate', 'changes'];
const ofCircumstances = ['options', 'env', 'traffic', 'actions', 'resume', 'verify'];
const isElsewhere = (name: string): boolean => ofInputs.includes(name) || ofCircumstances.includes(name);

/** Every command is in exactly one group: a new one is in `others`. */
export const groups: Readonly<Record<'ofInputs' | 'ofCircumstances' | 'others', readonly string[]>> = {
  ofInputs,
  ofCircumstances,
  others: program()
    .commands.map(command => command.name())
    .filter(name => !isElsewhere(name)),
};

export const checkOptions = (names: readonly string[]): void =>
  describe.each(names)('%s', name => {
    const own = trials[name] ?? [];

    test('every option is in the table, and nothing else is', () => {
      const listed = new Set([...own.flatMap(({ shows }) => Object.keys(shows)), ...(elsewhere[name] ?? [])]);
      expect(optionsOf(name).filter(option => !listed.has(option))).toEqual([]);
      expect([...listed].filter(option => !optionsOf(name).includes(option))).toEqual([]);
    });

    test.each(own.map(trial => [Object.keys(trial.shows).join(' '), trial] as const))('%s', async (_, trial) => {
      if (trial.needs === 'browser' && withoutBrowser) return;
      const seen = await run(trial);
      for (const [option, check] of Object.entries(trial.shows)) {
        const shows =
          check instanceof RegExp ? (seen.code === 1 || seen.code === 2) && check.test(seen.stderr) : check(seen);
        expect({ option, shows, ...(shows ? {} : { ...seen, args: trial.args }) }).toEqual({ option, shows: true });
      }
      expect(seen.stderr).not.toContain('internal error');
    });
  });
