/** The transcript section: every test and its outcome, a page at a time. */
import { candidateOf } from './candidate.js';
import { choice, h, number, outcomes, plural, section, svg } from './dom.js';

const perPage = 50;

export function transcript() {
  let data;
  let filter = 'all';
  let page = 0;
  const filters = {
    all: () => true,
    smaller: row => row.reduced !== undefined,
    fail: row => row.outcome === 'fail',
    pass: row => row.outcome === 'pass',
    unresolved: row => row.outcome === 'unresolved',
  };
  const names = { all: 'All', smaller: 'Smaller', fail: '✗ fail', pass: '✓ pass', unresolved: '? unresolved' };
  const buttons = choice(
    'Show',
    () => Object.keys(names).map(key => ({ key, text: names[key], count: data?.rows.filter(filters[key]).length })),
    () => filter,
    key => {
      filter = key;
      page = 0;
      draw();
    },
  );
  const { root, fill } = section(
    'transcript',
    'Transcript',
    'Every test in the order of the strategy, and its result. Click a row to see what was tested.',
    buttons.group,
  );

  function draw() {
    const rows = withGaps(data.rows.filter(filters[filter]), filter === 'all');
    const pages = Math.max(1, Math.ceil(rows.length / perPage));
    page = Math.min(page, pages - 1);
    const shown = rows.slice(page * perPage, (page + 1) * perPage);
    const turn = (text, to, label) =>
      h(
        'button',
        {
          type: 'button',
          class: 'tool',
          'data-turn': label,
          'aria-label': label,
          disabled: to < 0 || to >= pages || to === page,
          onclick: () => {
            page = to;
            draw();
            (
              root.querySelector(`[data-turn="${label}"]:not(:disabled)`) ??
              root.querySelector('[data-turn]:not(:disabled)')
            )?.focus();
          },
        },
        text,
      );
    fill(
      h(
        'div',
        { class: 'sheet transcript' },
        rows.length === 0
          ? h('p', { class: 'empty' }, 'No tests match.')
          : h(
              'table',
              {},
              h(
                'thead',
                {},
                h(
                  'tr',
                  {},
                  heads.map(({ name, kind, label }) =>
                    h('th', { scope: 'col', class: kind, 'aria-label': label }, name),
                  ),
                ),
              ),
              h(
                'tbody',
                {},
                shown.map(row => line(row, data)),
              ),
            ),
        pages > 1 &&
          h(
            'div',
            { class: 'pager' },
            h('span', {}, `Page ${number(page + 1)} of ${number(pages)}`),
            h(
              'span',
              { class: 'tools' },
              turn('First', 0, 'First page'),
              turn('Back', page - 1, 'Previous page'),
              turn('Next', page + 1, 'Next page'),
              turn('Last', pages - 1, 'Last page'),
            ),
          ),
      ),
    );
  }

  return {
    root,
    update(next) {
      const atEnd = data !== undefined && page > 0 && (page + 1) * perPage >= data.rows.length;
      data = next;
      if (atEnd) page = Number.MAX_SAFE_INTEGER;
      root.hidden = data.rows.length === 0;
      // A live page must not pull buttons out from under the keyboard.
      const held = root.contains(document.activeElement);
      if (!held) buttons.draw();
      if (!held || !root.querySelector('table')) draw();
    },
  };
}

const heads = [
  { name: '#', kind: 'right' },
  { name: '', kind: undefined, label: 'Outcome' },
  { name: 'Pass', kind: 'middle' },
  { name: 'n', kind: 'wide right' },
  { name: 'Tested', kind: undefined },
  { name: 'Deltas', kind: 'wide' },
  { name: 'Size', kind: 'right' },
  { name: 'Note', kind: 'why' },
];

/** A very long run keeps only some of its rows. A row marks each gap. */
function withGaps(rows, everyStep) {
  if (!everyStep) return rows;
  const all = [];
  let next = 1;
  for (const row of rows) {
    if (row.step > next) all.push({ gap: row.step - next });
    all.push(row);
    next = row.step + 1;
  }
  return all;
}

function line(row, data) {
  if (row.gap)
    return h(
      'tr',
      { class: 'gap' },
      h('td', { colspan: '8' }, `${plural(row.gap, 'test')} without an improvement, not stored`),
    );
  const { sign, text } = outcomes[row.outcome];
  const why = [row.rule, row.outcome === 'unresolved' && row.reason, row.known && 'cached'].filter(Boolean).join(' · ');
  const size = data.unit === 'bytes' && row.bytes !== undefined ? row.bytes : row.deltas;
  const hasCandidates = data.candidates !== undefined;
  const shown = h(
    'tr',
    {
      class: [row.reduced !== undefined && 'smaller', hasCandidates && 'opens'].filter(Boolean).join(' ') || undefined,
      'data-outcome': row.outcome,
      onclick: hasCandidates ? () => toggle(shown, row, data) : undefined,
    },
    h(
      'td',
      { class: 'right' },
      hasCandidates
        ? h(
            'button',
            {
              type: 'button',
              class: 'step',
              'aria-expanded': 'false',
              'aria-label': `Test ${row.step}: show the candidate`,
            },
            number(row.step),
          )
        : number(row.step),
    ),
    h(
      'td',
      {},
      h('span', { class: 'sign', 'data-outcome': row.outcome, title: text, role: 'img', 'aria-label': text }, sign),
    ),
    h('td', { class: 'middle' }, data.passes[row.pass]?.name ?? ''),
    h('td', { class: 'wide right' }, row.n === undefined ? '' : number(row.n)),
    h('td', {}, row.part ?? ''),
    h('td', { class: 'wide' }, cells(row.cells)),
    h('td', { class: 'right size' }, number(size)),
    h('td', { class: 'why' }, why),
  );
  return shown;
}

/** Shows what was tested, in a separate row below. */
function toggle(line, row, data) {
  const isOpen = line.nextSibling?.classList?.contains('candidate');
  if (isOpen) line.nextSibling.remove();
  else line.after(h('tr', { class: 'candidate' }, h('td', { colspan: '8' }, candidateOf(row, data))));
  line.querySelector('button').setAttribute('aria-expanded', String(!isOpen));
}

/** Which deltas were applied, as in the papers' tables: a box if it was, a dot if not. */
function cells(digits) {
  const width = 120 / Math.max(1, digits.length);
  let full = '';
  let none = '';
  [...digits].forEach((digit, i) => {
    const x = i * width;
    const height = (12 * Number(digit)) / 8;
    if (height === 0) none += `M${(x + width / 2 - 0.75).toFixed(1)} 9.5h1.5v1.5h-1.5z`;
    else
      full += `M${(x + 0.5).toFixed(1)} ${(12 - height).toFixed(1)}h${Math.max(1, width - 1).toFixed(1)}v${height.toFixed(1)}h-${Math.max(1, width - 1).toFixed(1)}z`;
  });
  const drawing = svg(
    '0 0 120 12',
    { d: full || 'M0 0', fill: 'currentColor' },
    { d: none || 'M0 0', fill: 'currentColor', opacity: '0.5' },
  );
  drawing.setAttribute('class', 'cells');
  drawing.setAttribute('preserveAspectRatio', 'none');
  return drawing;
}
