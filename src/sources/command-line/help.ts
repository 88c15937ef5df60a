/** Runs a command that prints a tool's help. */
import { spawnSync } from 'node:child_process';
import { UserError } from '../../core/index.js';

export function helpOf(shown: string): string {
  const { stdout, stderr, status, error } = spawnSync('/bin/sh', ['-c', shown], { encoding: 'utf8', timeout: 30_000 });
  if (error || status === 127 || status === 126)
    throw new UserError(
      `\`${shown}\` can't be run: ${error?.message ?? stderr.trim()}.`,
      "Give a command that prints a tool's help, in quotes.",
    );
  return stdout + stderr;
}
