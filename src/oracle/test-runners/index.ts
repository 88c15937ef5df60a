/** Every test runner that culprit knows, and how to find the one that a command calls. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { UserError } from '../../core/index.js';
import { go } from './go.js';
import { jest } from './jest.js';
import { mocha } from './mocha.js';
import { node } from './node.js';
import { pytest } from './pytest.js';
import { rspec } from './rspec.js';
import type { Called, TestRunner } from './types.js';
import { vitest } from './vitest.js';

const runners: readonly TestRunner[] = [vitest, jest, mocha, pytest, rspec, go, node];

export interface Chosen {
  readonly runner: TestRunner;
  readonly called: Called;
}

/** The runner that the command calls, directly or through a script of package.json. */
export function chooseRunner(words: readonly string[], folder: string): Chosen {
  const own = scriptOf(words, folder) ?? words;
  for (const runner of runners) {
    const at = runner.find(own);
    if (at === undefined) continue;
    const typed = own.slice(0, at + 1);
    return { runner, called: { typed, program: programOf(runner, typed, folder), args: own.slice(at + 1) } };
  }
  throw new UserError(
    `culprit does not know the test runner in: ${words.join(' ')}`,
    `It knows ${runners.map(({ name }) => (name === 'node' ? 'node --test' : name)).join(', ')}. For example: culprit tests -- npx vitest run`,
  );
}

/** `npm test` and similar commands run a script; a script that is a single command can be read. */
function scriptOf(words: readonly string[], folder: string): readonly string[] | undefined {
  const [manager = '', ...rest] = words;
  if (!/^(npm|pnpm|yarn|bun)$/.test(manager)) return undefined;
  const [name, ...args] = rest[0] === 'run' || rest[0] === 'run-script' ? rest.slice(1) : rest;
  const path = join(folder, 'package.json');
  if (name === undefined || !existsSync(path)) return undefined;
  const script = scriptIn(path, name === 't' ? 'test' : name);
  if (script === undefined) return undefined;
  if (/[|&;<>()$`"'\\]/.test(script))
    throw new UserError(
      `The script ${name} of package.json is more than one plain command: ${script}`,
      'Put the command of the test runner itself after `--`. For example: culprit tests -- npx vitest run',
    );
  return [...script.split(/\s+/).filter(Boolean), ...args.filter(word => word !== '--')];
}

function scriptIn(path: string, name: string): string | undefined {
  try {
    const script = JSON.parse(readFileSync(path, 'utf8'))?.scripts?.[name];
    return typeof script === 'string' ? script : undefined;
  } catch {
    return undefined;
  }
}

/** A program of node_modules is started directly: a package manager in between costs time in each run. */
function programOf(runner: TestRunner, typed: readonly string[], folder: string): readonly string[] {
  const name = typed.at(-1)!;
  if (name.includes('/') || /python|^-m$/.test(typed.at(-2) ?? '')) return typed;
  for (let up = folder; ; up = dirname(up)) {
    const path = join(up, 'node_modules/.bin', name);
    if (existsSync(path)) return [path];
    if (up === dirname(up)) break;
  }
  if (runner !== vitest && onPath(name)) return typed.length > 1 && isNpm(typed[0]!) ? [name] : typed;
  throw new UserError(`${runner.name} is not installed here.`, `Install it first: ${runner.install}`, 1);
}

const isNpm = (word: string): boolean => /^(npx|bunx|pnpx|npm|pnpm|yarn|bun)$/.test(word);

function onPath(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some(folder => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}
