/** Sections that appear only if they have something to show. */
import { h, plural, section } from './dom.js';

/** Sections that are there only when there is something to show in them. Each is rebuilt only when its data changed. */
export function listed(id, title, about, pick, fillWith) {
  const { root, fill } = section(id, title, about);
  let shown = '';
  return {
    root,
    update(data) {
      const value = pick(data);
      const now = JSON.stringify(value ?? null);
      root.hidden = !value || value.length === 0;
      if (root.hidden || now === shown) return;
      shown = now;
      fill(fillWith(value));
    },
  };
}

export const otherFailures = () =>
  listed(
    'others',
    'Other failures',
    'Candidates that failed in a different way. They did not count, but each is kept with an input that reproduces it.',
    data => data.otherFailures,
    noticed,
  );

export const notes = () => listed('notes', 'Notes', undefined, data => data.notes, noticed);

const noticed = all =>
  h(
    'ul',
    { class: 'sheet list' },
    all.map(({ text, path, times }) =>
      h(
        'li',
        {},
        h('code', { class: 'text' }, text),
        h('span', { class: 'times' }, times > 1 ? plural(times, 'time') : ''),
        path && h('span', { class: 'path' }, path),
      ),
    ),
  );

export const tree = () =>
  listed(
    'changes',
    'The changes',
    'Set aside: the test does not execute it. Innocent: the failure happens without it. Culprit: without it, the failure goes away.',
    data => data.tree,
    items => h('div', { class: 'sheet tree' }, items.map(branch)),
  );

function branch(item) {
  const line = h(
    'span',
    { class: 'item' },
    h('span', { class: 'status', 'data-status': item.status }, item.status),
    h('span', { class: 'label mono' }, item.label),
    item.detail && h('span', { class: 'detail' }, item.detail),
  );
  const children = item.children ?? [];
  const isFile = children.length > 0 && children.every(child => !child.children);
  if (children.length === 0 && !item.code) return h('div', { class: 'leaf' }, line);
  return h(
    'details',
    { open: holdsCulprit(item) },
    h('summary', {}, line),
    item.code && h('pre', {}, item.code.split('\n').map(patchLine)),
    children.length > 0 &&
      h(
        'ul',
        {},
        children.map(child => h('li', {}, isFile && child.code ? hunk(child) : branch(child))),
      ),
  );
}

/** The hunks of a file are read one after the other, as a diff: what is known of each is its shade. */
const hunk = ({ status, label, detail, code }) =>
  h(
    'figure',
    { class: 'hunk', 'data-status': status },
    h(
      'figcaption',
      {},
      h('span', { class: 'status', 'data-status': status }, status),
      h('span', { class: 'label mono' }, label.replace(/^.* (?=-\d+,\d+ \+)/, '')),
      detail && h('span', { class: 'detail' }, detail),
    ),
    h('pre', {}, code.replace(/\n$/, '').split('\n').map(patchLine)),
  );

const holdsCulprit = item => item.status === 'culprit' || (item.children ?? []).some(holdsCulprit);

export const patchLine = text =>
  h('span', { class: text.startsWith('+') ? 'plus' : text.startsWith('-') ? 'minus' : undefined }, `${text}\n`);

export const table = () =>
  listed(
    'table',
    'What matters',
    undefined,
    data => data.table && [data.table],
    ([{ caption, columns, rows, remaining = [] }]) => {
      const remains = new Set(remaining);
      return h(
        'div',
        { class: 'sheet table', tabindex: '0', role: 'region', 'aria-label': caption ?? 'What matters' },
        h(
          'table',
          {},
          caption && h('caption', {}, caption),
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              columns.map(name => h('th', { scope: 'col' }, name)),
            ),
          ),
          h(
            'tbody',
            {},
            rows.map((row, i) =>
              h(
                'tr',
                { class: remains.has(i) && 'remains' },
                row.map(cell => h('td', {}, cell)),
              ),
            ),
          ),
        ),
      );
    },
  );

export const pictures = () =>
  listed(
    'pictures',
    'Screenshots',
    'The page after each action that matters.',
    data => data.pictures,
    all =>
      h(
        'div',
        { class: 'pictures' },
        all.map(({ caption, pngBase64 }, i) =>
          h(
            'figure',
            {},
            h('img', { src: `data:image/png;base64,${pngBase64}`, alt: caption }),
            h('figcaption', {}, `${i + 1}. ${caption}`),
          ),
        ),
      ),
  );

/** Two orders of the same events, side by side: each event is in the row of its position in its own order. */
export const timeline = () =>
  listed(
    'timeline',
    'Two orders of events',
    'Left: the order in which the program passes. Right: the one in which it fails. The events whose order decides are marked.',
    data => data.timeline && [data.timeline],
    ([{ passing, failing, skipped }]) => {
      const rows = Math.max(passing.length, failing.length);
      const cell = (items, others, i) => {
        const item = items[i];
        if (!item) return h('td', { class: 'none' }, '');
        const isMoved = others[i]?.id !== item.id;
        return h(
          'td',
          { class: item.decisive ? 'decisive' : isMoved ? 'moved' : undefined },
          h('span', { class: 'mono' }, item.text),
          h('span', { class: 'at' }, `${Math.round(item.at * 1000) / 1000} ms`),
        );
      };
      return h(
        'div',
        { class: 'sheet table orders', tabindex: '0', role: 'region', 'aria-label': 'Two orders of events' },
        h(
          'table',
          {},
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              ['', 'passes', 'fails'].map(name => h('th', { scope: 'col' }, name)),
            ),
          ),
          h(
            'tbody',
            {},
            Array.from({ length: rows }, (_, i) =>
              h(
                'tr',
                {},
                h('th', { scope: 'row' }, String(skipped + i + 1)),
                cell(passing, failing, i),
                cell(failing, passing, i),
              ),
            ),
          ),
        ),
      );
    },
  );
