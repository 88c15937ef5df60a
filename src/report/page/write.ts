/** Writes report.html: one file with everything inside. */
import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withColours } from '../colour.js';
import { type PageData, pageData, type ReportData } from './data.js';

/** Two pages may be written in the same millisecond. */
let written = 0;

/**
 * report.html: one file that needs nothing else, with its data as JSON inside. The page's own code is in assets/: ES
 * modules for editors and linters, concatenated here, so that no bundler is needed.
 */
export async function writeReport(path: string, data: ReportData): Promise<void> {
  const temporary = join(dirname(path), `.${process.pid}-${Date.now().toString(36)}-${++written}-report.tmp`);
  try {
    await writeFile(temporary, renderPage(pageData(await withColours(data))));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

export function renderPage(data: PageData): string {
  const { styles, library, code } = (parts ??= readParts());
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; connect-src 'self'">
<title>${escaped(data.title)} · culprit</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style>${styles}</style>
</head>
<body>
<a class="skip" href="#page">Skip to the report</a>
<div id="page"><noscript><h1>${escaped(data.title)}</h1><p>${escaped(data.proof)}</p><p>The plot and the transcript on this page need JavaScript.</p></noscript></div>
<script type="application/json" id="data">${embedded(data)}</script>
<script>${library}</script>
<script type="module">${code}</script>
</body>
</html>
`;
}

/** JSON that nothing inside can turn into markup: `</script>` and `<!--` can't occur, and lone surrogates are already escaped. */
export const embedded = (data: unknown): string =>
  JSON.stringify(data).replace(/[<>\u2028\u2029]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

const escaped = (text: string): string => text.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 3h4v4H5v3h4v3h5" fill="none" stroke="#d6451f" stroke-width="2.4"/></svg>';

interface Parts {
  readonly styles: string;
  readonly library: string;
  readonly code: string;
}

let parts: Parts | undefined;
/** Each one after those that it needs. */
const modules = [
  'dom.js',
  'bug-report.js',
  'answer.js',
  'summary.js',
  'gains.js',
  'plot.js',
  'compare.js',
  'candidate.js',
  'sections.js',
  'chain.js',
  'groups.js',
  'transcript.js',
  'main.js',
];

function readParts(): Parts {
  const asset = (name: string) => readFileSync(fileURLToPath(new URL(`./assets/${name}`, import.meta.url)), 'utf8');
  const plot = dirname(createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css'));
  // Its licence requires its notice in every copy.
  const library = `/*\n${readFileSync(join(plot, '../LICENSE'), 'utf8')}*/\n${readFileSync(join(plot, 'uPlot.iife.min.js'), 'utf8')}`;
  const code = modules
    .map(name =>
      asset(name)
        .replace(/^import\b[^;]*;$/gm, '')
        .replace(/^export /gm, ''),
    )
    .join('\n');
  return {
    styles: `${readFileSync(join(plot, 'uPlot.min.css'), 'utf8')}\n${asset('base.css')}\n${asset('sections.css')}`,
    library,
    code,
  };
}
