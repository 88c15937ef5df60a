/** The section that shows original and result, or a passing and a failing input, side by side. */
import { h, number, plural, section } from './dom.js';

/** Original and result side by side. What remains is marked in the original; what a rewriting put there is marked in the result. */
export function comparison() {
  const select = h('select', { class: 'tool', 'aria-label': 'File', onchange: () => show(Number(select.value)) });
  const { root, fill } = section('remains', 'What remains', ' ', select);
  const about = root.querySelector('.head p');
  let files = [];
  let shown = '';
  function show(index) {
    const file = files[index] ?? files[0];
    about.textContent = aboutOf(file);
    const [left, right] = file.pair ? sidesOfPair : sidesOfReduction;
    fill(
      h(
        'div',
        { class: 'pair' },
        file.original && side({ ...left, bytes: file.originalBytes, blocks: file.original }),
        file.result && side({ ...right, bytes: file.resultBytes, blocks: file.result }),
      ),
      file.note && h('p', { class: 'empty' }, file.note),
    );
  }
  return {
    root,
    update(data) {
      // Rebuilt only when it differs: readers keep their place and what they unfolded.
      const now = JSON.stringify(data.comparisons.map(file => [file.path, file.resultBytes, file.note, file.result]));
      root.hidden = data.comparisons.length === 0;
      if (root.hidden || now === shown) return;
      shown = now;
      files = data.comparisons;
      const chosen = Math.max(
        0,
        files.findIndex((file, i) => (select.value === '' ? file.result : i === Number(select.value))),
      );
      select.replaceChildren(
        ...files.map((file, i) =>
          h(
            'option',
            { value: String(i) },
            `${file.path ?? 'file'}${file.resultBytes === undefined ? ' (removed)' : ''}`,
          ),
        ),
      );
      select.hidden = files.length < 2;
      select.value = String(chosen);
      show(chosen);
    },
  };
}

function aboutOf(file) {
  if (!file.original || file.result === undefined) return '';
  if (file.traced)
    return 'Marked in the original: what is left of it, followed through every edit. Marked in the result: what was put in.';
  if (file.pair) return 'Marked: what only one of the two has.';
  return file.note ? '' : 'Marked: what the two have in common, and what only the second has.';
}

const sidesOfReduction = [
  { name: 'Original', kind: 'original', folded: 'removed' },
  { name: 'Result', kind: 'result', folded: 'removed' },
];
const sidesOfPair = [
  { name: 'Passes', kind: 'result', folded: 'in both' },
  { name: 'Fails', kind: 'result', folded: 'in both' },
];

function side({ name, kind, folded, bytes, blocks }) {
  const code = h(
    'div',
    { class: `code ${kind}`, tabindex: '0', role: 'region', 'aria-label': name },
    blocks.map(one => block(one, folded)),
  );
  return h('div', { class: 'sheet side' }, h('h3', {}, name, h('span', {}, plural(bytes, 'byte'))), code);
}

function block(one, folded) {
  if (one.segments) return row(one.line, joined(one.segments).map(segment));
  const text = `${plural(one.fold, 'line')} ${folded}`;
  if (one.text === undefined) return h('div', { class: 'fold' }, text);
  return h(
    'button',
    {
      type: 'button',
      class: 'fold',
      onclick: event => {
        const rows = one.text.split('\n').map((line, i) => row(one.line + i, visible(line)));
        rows[0].tabIndex = -1;
        event.currentTarget.replaceWith(...rows);
        rows[0].focus({ preventScroll: true });
      },
    },
    `${text} · show`,
  );
}

const row = (line, content) =>
  h('div', { class: 'row' }, h('span', { 'aria-hidden': 'true' }, number(line)), h('code', {}, content));

/** Marked pieces that touch are one mark, whatever their colours. */
function joined(segments) {
  const groups = [];
  for (const one of segments) {
    const last = groups.at(-1);
    if (Array.isArray(one) && one[1] && last?.marked) last.marked.push(one);
    else groups.push(Array.isArray(one) && one[1] ? { marked: [one] } : one);
  }
  return groups;
}

function segment(one) {
  if (one.marked)
    return h(
      'mark',
      {},
      one.marked.map(([text, , colour]) => plain(text, colour)),
    );
  if (!Array.isArray(one)) return h('span', { class: 'skip-text' }, ` … ${plural(one.skip, 'character')} … `);
  return plain(one[0], one[2]);
}

const plain = (text, colour) =>
  colour === undefined ? visible(text) : h('span', { class: `c${colour}` }, visible(text));

/** Characters that can't be seen, or that would turn the text around them, are shown as what they are. */
export function visible(text) {
  const parts = text.split(/([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff])/);
  return parts.map((part, i) => (i % 2 === 0 ? part : h('span', { class: 'control' }, picture(part.charCodeAt(0)))));
}

function picture(code) {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '␡' : `⟨${code.toString(16).toUpperCase()}⟩`;
}
