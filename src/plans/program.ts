/** The file of the program that a command runs: another compiler than this one may well give other verdicts. */
import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { whereIs } from '../oracle/command/start.js';
import { ownEnvironment } from '../run/kept-environment.js';

export interface Program {
  readonly path: string;
  readonly sha256: string;
}

export function programOf([line = '']: readonly string[], cwd: string): Program | undefined {
  const [program = ''] = line.trim().split(/\s+/);
  const path = whereIs(program, ownEnvironment(), cwd);
  if (path === undefined || !statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  return { path, sha256: hash('sha256', readFileSync(path), 'hex') };
}
