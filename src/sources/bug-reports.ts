/** Reads bug reports: Markdown files, of which the code blocks count. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../core/index.js';
import { explained } from './files.js';
import { readNamed } from './read-named.js';

export interface BugReport {
  readonly path: string;
  readonly title: string;
  readonly code: readonly string[];
}

export function readBugReports(folder: string): readonly BugReport[] {
  const stats = explained(folder, () => statSync(folder, { throwIfNoEntry: false }));
  if (!stats?.isDirectory())
    throw new UserError(
      stats ? `--reports ${folder} is not a folder.` : `There is no folder ${folder}.`,
      'Give a folder of Markdown files to --reports.',
    );
  const names = explained(folder, () => readdirSync(folder, { recursive: true, encoding: 'utf8' })).filter(name =>
    /\.(?:md|markdown)$/i.test(name),
  );
  if (names.length === 0)
    throw new UserError(`There is no Markdown file in ${folder}.`, 'Give a folder of bug reports to --reports.');
  return names.sort().map(name => {
    const path = join(folder, name);
    const text = explained(path, () => readNamed(path).toString());
    return { path, title: /^#+\s+(.+)$/m.exec(text)?.[1]?.trim() ?? name, code: codeBlocks(text) };
  });
}

/** Fenced blocks (``` or ~~~) and blocks that are indented by four spaces or a tab. */
export function codeBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let block: string[] | undefined;
  let fence: string | undefined;
  const end = () => {
    if (block?.some(line => line.trim() !== '')) blocks.push(block.join('\n'));
    block = undefined;
  };
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== undefined) {
      if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === '') {
        end();
        fence = undefined;
      } else block!.push(line);
    } else if (mark) {
      end();
      fence = mark[1]!;
      block = [];
    } else if (/^(?: {4}|\t)/.test(line) || (block && line.trim() === '')) {
      (block ??= []).push(line.replace(/^(?: {4}|\t)/, ''));
    } else end();
  }
  end();
  return blocks;
}
