/** The result of a triage: triage.json, the files next to it, the rows of the page, and the summary. */
import { extname, join } from 'node:path';
import type { Artifact, Entry } from '../../core/artifact.js';
import { counted } from '../../core/phrases.js';
import type { GroupView } from '../../report/page/data.js';
import type { BugReport } from '../../sources/bug-reports.js';
import { groupsOf } from './groups.js';
import { type Known, knownName } from './known.js';
import { type Group, type Reduction, stackOf, type TestedFile, type Triage, type Variant } from './model.js';
import { countTooShort, matchReports, shortestForm } from './reports.js';

/** What the result needs in addition to the triage itself. */
export interface ResultContext {
  /** The folder of the results, as the user typed it. */
  readonly folder: string;
  readonly reports?: readonly BugReport[] | undefined;
  readonly skipped: readonly string[];
  /** The command on this file, as a person can type it. */
  command(path: string): string;
}

/** `forms/03.c` for a group, `forms/03b.c` for its second variant. */
const formPath = (group: number, variant: number, { name }: Reduction): string =>
  `forms/${String(group).padStart(2, '0')}${variant === 0 ? '' : letters(variant)}${extname(name)}`;

/** b … z, then aa: there may be more than 26. */
const letters = (n: number): string =>
  (n < 26 ? '' : letters(Math.floor(n / 26) - 1)) + String.fromCharCode(97 + (n % 26));

export function resultOf(triage: Triage, shown: ResultContext) {
  const groups = groupsOf(triage);
  const others = (outcome: TestedFile['outcome']) => triage.files.filter(file => file.outcome === outcome);
  const reports = shown.reports && matchReports(shown.reports, groups);
  return {
    files: triage.files.length,
    failing: others('fail').length,
    groups: groups.map((group, i) => ({
      number: i + 1,
      failure: group.variants[0]!.text,
      key: group.key,
      files: group.count,
      variants: group.variants.map((variant, j) => variantOf(variant, formAt(i, j, variant, shown), triage)),
    })),
    passing: others('pass').map(({ path }) => path),
    unresolvedFiles: others('unresolved').map(({ path, reason }) => ({ path, reason: reason ?? 'unresolved' })),
    ...(shown.skipped.length > 0 ? { skipped: shown.skipped } : {}),
    ...(reports ? { reports } : {}),
  };
}

export type Result = ReturnType<typeof resultOf>;

function formAt(group: number, variant: number, { reduction }: Variant, { folder, command }: ResultContext) {
  if (!reduction) return {};
  const path = join(folder, formPath(group + 1, variant, reduction));
  return { form: path, reproduce: command(path) };
}

function variantOf({ signatures, files, reduction, text }: Variant, form: object, { containing }: Triage) {
  return {
    failure: text,
    stacks: signatures.map(stackOf),
    count: files.length,
    ...form,
    ...(reduction ? { bytes: reduction.form.length, minimal: reduction.minimal, from: reduction.from } : {}),
    ...(reduction?.others ? { otherForms: reduction.others.map(formOf) } : {}),
    files: files.map(({ path }) => (containing.has(path) ? { path, containsForm: true } : { path })),
  };
}

const formOf = ({ from, form }: { readonly from: string; readonly form: Uint8Array }) => ({
  from,
  form: Buffer.from(form).toString('latin1'),
});

/** The files of the result folder. */
export function filesOf(triage: Triage, known: Known, shown: ResultContext): Artifact {
  const files: [string, Entry][] = [];
  const add = (name: string, bytes: Uint8Array) => files.push([name, { kind: 'file', bytes }]);
  for (const [i, group] of groupsOf(triage).entries())
    for (const [j, { reduction }] of group.variants.entries())
      if (reduction) add(formPath(i + 1, j, reduction), reduction.form);
  add(knownName, Buffer.from(`${JSON.stringify(known)}\n`));
  add('triage.json', Buffer.from(`${JSON.stringify(resultOf(triage, shown), null, 2)}\n`));
  return { files: new Map(files.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** The rows of the page. */
export const viewOf = (triage: Triage, shown: ResultContext): readonly GroupView[] =>
  groupsOf(triage).map(({ count, variants }, i) => ({
    number: i + 1,
    files: count,
    variants: variants.map((variant, j) => {
      const { reduction, signatures, text, files } = variant;
      const at = formAt(i, j, variant, shown);
      return {
        failure: text,
        stacks: signatures.map(stackOf).filter(stack => stack !== ''),
        files: files.slice(0, mostNames).map(({ path }) => path),
        count: files.length,
        containing: files.filter(({ path }) => triage.containing.has(path)).length,
        ...('reproduce' in at ? { command: at.reproduce } : {}),
        ...(reduction ? { form: printable(reduction.form), bytes: reduction.form.length } : {}),
        isMinimal: (reduction?.minimal.length ?? 0) > 0,
      };
    }),
  }));

const mostNames = 200;
const mostShown = 2000;

/** A text as it is; bytes that are not text as visible escapes. */
export function printable(bytes: Uint8Array): string {
  const cut = bytes.subarray(0, mostShown);
  let text: string;
  try {
    text = new TextDecoder('utf8', { fatal: true }).decode(cut);
  } catch {
    text = Buffer.from(cut)
      .toString('latin1')
      .replace(/[\x80-\xff]/g, escaped);
  }
  const shown = text.replace(/[\0-\x08\x0b-\x1f\x7f]/g, escaped);
  return bytes.length > mostShown ? `${shown}…` : shown;
}

const escaped = (char: string): string => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** The end as a sentence. */
export function sentenceOf({ files, failing, groups, passing, unresolvedFiles }: Result, isDone: boolean): string {
  const variants = groups.reduce((sum, group) => sum + group.variants.length, 0);
  const open = groups.filter(group => group.variants.some(({ minimal = [] }) => minimal.length === 0)).length;
  const late = unresolvedFiles.filter(({ reason }) => reason === 'timeout').length;
  const unclear = unresolvedFiles.length - late;
  const rest = [
    ...(passing.length > 0 ? [`${passing.length} ${passing.length === 1 ? 'passes' : 'pass'}`] : []),
    ...(late > 0 ? [`${late} timed out`] : []),
    ...(unclear > 0 ? [`${unclear} unresolved`] : []),
  ];
  const found = `${counted(failing, 'file')} of ${files} ${failing === 1 ? 'fails' : 'fail'}, in ${counted(groups.length, 'group')}`;
  const split = variants > groups.length ? ` (${variants} variants)` : '';
  const others = rest.length > 0 ? `; ${rest.join(', ')}` : '';
  const unfinished = open > 0 ? ` ${counted(open, 'group')} not reduced to the end.` : '';
  return `${isDone ? 'Done.' : 'Stopped.'} ${found}${split}${others}.${unfinished}`;
}

/** A line per group, as far as a terminal shows them, and what is known about the reports. */
export function wordsOf(result: Result, groups: readonly Group[], reports: readonly BugReport[] | undefined): string {
  const lines = result.groups.slice(0, mostLines).map(({ number, files, variants, failure }) => {
    const [first] = variants;
    const size = first?.bytes === undefined ? '' : `${first.bytes} B`;
    return `${String(number).padStart(3)}  ${`${files}×`.padStart(6)}  ${size.padStart(7)}  ${clipped(failure, 70)}`;
  });
  const more = result.groups.length - lines.length;
  if (more > 0) lines.push(`     and ${more} more`);
  if (reports && result.reports) {
    const known = result.reports.filter(({ groups: own }) => own.length > 0);
    lines.push(`${known.length} of ${counted(reports.length, 'report')} contain a minimal form`);
    for (const { path, groups: own } of known.slice(0, 4))
      lines.push(`     ${clipped(path, 60)}: group ${own.join(', ')}`);
    const short = countTooShort(groups);
    if (short > 0) lines.push(`     ${counted(short, 'form')} under ${shortestForm} characters: too short to look for`);
  }
  return lines.map(line => `${line}\n`).join('');
}

const mostLines = 10;
const clipped = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;
