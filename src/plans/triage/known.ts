/** What a triage leaves for the next one with the same --out: known.json in the folder of its results. */
import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../../core/index.js';
import { array, boolean, Mismatch, number, object, oneOf, optional, string } from '../../core/schema.js';
import type { Reduction, TestedFile, Triage } from './model.js';

export const knownName = 'known.json';

/** In JSON form: the contents of minimal forms are in base64. */
export interface Known {
  readonly culprit: 'triage 1';
  readonly command: readonly string[];
  /** The hashes of the files that the command names: another program gives other answers. */
  readonly program: string;
  readonly files: readonly TestedFile[];
  readonly reductions: readonly KnownReduction[];
}

interface KnownReduction extends Omit<Reduction, 'form' | 'loose' | 'others'> {
  readonly form: string;
  readonly loose?: { readonly signature: string; readonly form: string } | undefined;
  readonly others?: readonly { readonly from: string; readonly form: string }[] | undefined;
}

const file = object({
  path: string,
  name: string,
  identity: string,
  bytes: number,
  outcome: oneOf('pass', 'fail', 'unresolved'),
  signature: optional(string),
  text: optional(string),
  reason: optional(string),
  seconds: optional(number),
});
const reduction = object({
  signature: string,
  from: string,
  name: string,
  form: string,
  minimal: array(string),
  isDone: boolean,
  loose: optional(object({ signature: string, form: string })),
  others: optional(array(object({ from: string, form: string }))),
});
const known = object({
  culprit: oneOf('triage 1'),
  command: array(string),
  program: string,
  files: array(file),
  reductions: array(reduction),
});

/** What an earlier triage left in this folder; `undefined` if there was none. The folder is known to be culprit's own. */
export function readKnown(folder: string): Known | undefined {
  const path = join(folder, knownName);
  if (!statSync(path, { throwIfNoEntry: false })) return undefined;
  try {
    return known(JSON.parse(readFileSync(path, 'utf8'))) as Known;
  } catch (error) {
    const where = error instanceof Mismatch ? error.message : 'it is not JSON';
    throw new UserError(`${path} can't be read: ${where}.`, 'Move the folder away, or choose another one with --out.');
  }
}

/** The contents of all words that name a file, so that a rebuilt program is noticed. */
export function programOf(command: readonly string[], cwd = process.cwd()): string {
  const contents = command.flatMap(word => {
    const path = resolve(cwd, word);
    return word !== '' && statSync(path, { throwIfNoEntry: false })?.isFile()
      ? [hash('sha256', readFileSync(path))]
      : [];
  });
  return hash('sha256', contents.join(' ')).slice(0, 24);
}

export function toKnown(triage: Triage, command: readonly string[], program: string): Known {
  const coded = (form: Uint8Array) => Buffer.from(form).toString('base64');
  const reductions = [...triage.reductions.values()].map(({ form, loose, others, ...rest }) => ({
    ...rest,
    form: coded(form),
    ...(loose ? { loose: { ...loose, form: coded(loose.form) } } : {}),
    ...(others ? { others: others.map(other => ({ ...other, form: coded(other.form) })) } : {}),
  }));
  return { culprit: 'triage 1', command, program, files: triage.files, reductions };
}

export function fromKnown({ files, reductions }: Pick<Known, 'files' | 'reductions'>): Triage {
  const decoded = (form: string) => Buffer.from(form, 'base64');
  const found = reductions.map(
    ({ form, loose, others, ...rest }): Reduction => ({
      ...rest,
      form: decoded(form),
      ...(loose ? { loose: { ...loose, form: decoded(loose.form) } } : {}),
      ...(others ? { others: others.map(other => ({ ...other, form: decoded(other.form) })) } : {}),
    }),
  );
  return { files, reductions: new Map(found.map(each => [each.signature, each])), containing: new Set() };
}
