/** What each pass brought: how much smaller, for how many tests. */
import { amount, h, number, share } from './dom.js';
import { listed } from './sections.js';

export const gains = () =>
  listed(
    'gains',
    'Gain per pass',
    'How much each pass removed, in all of its rounds, and how many tests it took.',
    data => (data.unit === 'bytes' && data.passes.length > 1 ? [gainsOf(data)] : []),
    ([rows]) => h('div', { class: 'sheet table gains' }, gainTable(rows)),
  );

/** One row for each pass by its name, those with the largest gain first. */
export function gainsOf({ passes, best, counts, unit }) {
  const rows = new Map();
  passes.forEach((pass, i) => {
    const row = rows.get(pass.name) ?? { name: pass.name, gain: 0, tests: 0, runs: 0, unit };
    row.gain += pass.before - (passes[i + 1]?.before ?? best);
    row.tests += (passes[i + 1]?.from ?? counts.tests) - pass.from;
    row.runs++;
    rows.set(pass.name, row);
  });
  return [...rows.values()].sort((a, b) => b.gain - a.gain || b.tests - a.tests);
}

function gainTable(rows) {
  const all = rows.reduce((sum, row) => sum + row.gain, 0);
  const shown = rows.filter(row => row.gain > 0);
  const others = rows.filter(row => row.gain <= 0);
  const tests = others.reduce((sum, row) => sum + row.tests, 0);
  const head = (name, kind) => h('th', { scope: 'col', class: kind }, name);
  return h(
    'table',
    {},
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        head('Pass'),
        head('Removed', 'right'),
        head('', 'bars'),
        head('Tests', 'right'),
        head('Per test', 'right wide'),
      ),
    ),
    h(
      'tbody',
      {},
      shown.map(row =>
        h(
          'tr',
          {},
          h('td', {}, row.name, row.runs > 1 && h('span', { class: 'soft' }, ` × ${row.runs}`)),
          h('td', { class: 'right' }, number(row.gain)),
          h(
            'td',
            { class: 'bars' },
            h('i', { style: `width: ${Math.max(0.5, (100 * row.gain) / Math.max(1, all))}%` }),
            h('span', { class: 'hidden' }, share(row.gain, all)),
          ),
          h('td', { class: 'right' }, number(row.tests)),
          h('td', { class: 'right wide' }, row.tests > 0 ? amount(row.gain / row.tests, row.unit) : ''),
        ),
      ),
      others.length > 0 &&
        h(
          'tr',
          { class: 'none' },
          h(
            'td',
            { colspan: '3' },
            `${others.length === 1 ? '1 other pass' : `${number(others.length)} other passes`} removed nothing`,
          ),
          h('td', { class: 'right' }, number(tests)),
          h('td', { class: 'wide' }),
        ),
    ),
  );
}
