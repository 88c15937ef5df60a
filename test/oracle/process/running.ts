import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Invocation, Run, Runner } from '../../../src/oracle/process/index.js';

export const MB = 1024 * 1024;
export const limits = { output: 64 * 1024, fileSize: 32 * MB };
export const env: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: '/nowhere' };
export const never = new AbortController().signal;

export const isThere = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
/** Only on a developer's machine may something be missing. */
export const mayBeMissing = process.env.CI === undefined;

export const run = (runner: Runner, argv: readonly string[], more: Partial<Invocation> = {}, slot = 0): Promise<Run> =>
  runner.run({ argv, cwd: tmpdir(), env, timeout: 20, ...more }, slot, never);

export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** A `sleep` that no other process on the machine is likely to do, by which to find it again. */
export const oddSleep = (): string => `1${Math.floor(Math.random() * 1e9)}.5`;

/** The processes that were started with exactly this argument. */
export function processesWith(argument: string): readonly number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument);
      } catch {
        return false;
      }
    });
}

export async function until(condition: () => boolean, seconds = 10): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; !condition() && Date.now() < end; )
    await new Promise(resolve => setTimeout(resolve, 10));
  return condition();
}
