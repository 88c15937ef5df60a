/** The result as a file to download, and as a bug report in Markdown to paste. */
import { h } from './dom.js';

/** A button that says for a moment that it did what it says. `get` may be slow or fail: then the text is shown to be copied by hand. */
export function copyButton(name, get, place) {
  const status = h('span', { class: 'hidden', role: 'status' });
  const button = h(
    'button',
    {
      type: 'button',
      class: 'tool',
      onclick: async () => {
        const done = await copy(get(), place);
        button.textContent = done ? 'Copied' : 'Select and copy';
        status.textContent = button.textContent;
        setTimeout(() => {
          button.textContent = name;
        }, 1500);
      },
    },
    name,
  );
  return h('span', { class: 'copier' }, button, status);
}

/** The clipboard is not there for every page that is opened as a file: then the text is shown and selected, one key away from copied. */
async function copy(text, place) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const shown = h('pre', { class: 'quote by-hand', tabindex: '0' }, text);
    place().replaceChildren(shown);
    getSelection().selectAllChildren(shown);
    return false;
  }
}

export function downloadButton(file, title) {
  const { download, path } = file;
  const name = (path ?? title ?? 'result').split('/').pop();
  return h(
    'button',
    {
      type: 'button',
      class: 'tool',
      onclick: () => {
        const bytes =
          download.text === undefined
            ? Uint8Array.from(atob(download.base64), one => one.charCodeAt(0))
            : new TextEncoder().encode(download.text);
        const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
        h('a', { href: address, download: name.replace(/(\.[^.]*)?$/, '.reduced$1') }).click();
        setTimeout(() => URL.revokeObjectURL(address), 10_000);
      },
    },
    'Download result',
  );
}

/** A block of code whose fence is longer than any run of backticks in it. */
export function fenced(text, language = '') {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

const mostInReport = 6;

/** Input, command, output and versions: what every tracker asks for. */
export function bugReport(data) {
  const files = data.comparisons.filter(file => file.download?.text !== undefined);
  const parts = [`### ${data.signature ?? data.rule ?? 'Failure'}`.split('\n')[0]];
  for (const file of files.slice(0, mostInReport)) {
    const language = /\.(\w+)$/.exec(file.path ?? '')?.[1] ?? '';
    parts.push(`**Input**${file.path ? ` (\`${file.path}\`)` : ''}`, fenced(file.download.text, language));
  }
  if (files.length > mostInReport) parts.push(`… and ${files.length - mostInReport} more files.`);
  for (const place of data.answer?.revert ?? [])
    parts.push(`**Smallest revert**: \`${place.where}\``, fenced(place.code, 'diff'));
  for (const place of data.answer?.places ?? [])
    parts.push(`**Cause**: \`${place.where}\``, fenced(place.code, 'diff'));
  if (data.answer?.cause) parts.push(data.answer.cause);
  if (data.reproduce ?? data.command) parts.push('**Command**', fenced(data.reproduce ?? data.command, 'sh'));
  if (data.printed ?? data.signature) parts.push('**Output**', fenced(data.printed ?? data.signature));
  if (data.rule) parts.push(`What counts as the failure: ${data.rule}.`);
  parts.push(
    '**Versions**',
    versionLines(data)
      .map(line => `- ${line}`)
      .join('\n'),
  );
  parts.push(`${data.proof} Reduced from ${data.before} to ${data.best} ${data.unit} with culprit.`);
  return `${parts.join('\n\n')}\n`;
}

export function versionLines({ made, versions = {} }) {
  return [
    versions.culprit && `culprit ${versions.culprit}`,
    made && `Node.js ${made.node}`,
    made?.system,
    made && `${made.processor}, ${made.memory}`,
    made && `run on ${made.date}`,
  ].filter(Boolean);
}
