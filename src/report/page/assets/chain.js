import { h } from './dom.js';
import { listed } from './sections.js';

/** How the failure comes about: the causes from the input to the failure, and the lines in which one turns into another. */
export const chain = () =>
  listed(
    'chain',
    'How the failure comes about',
    'Each variable, set to its failing value at its place, makes the passing run fail. Where one cause turns into the next, look for the defect.',
    data => data.chain && data.chain.rows.length > 0 && [data.chain],
    ([{ rows, transitions, sources }]) => [
      h(
        'div',
        { class: 'sheet table', tabindex: '0', role: 'region', 'aria-label': 'Causes' },
        h(
          'table',
          {},
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              ['Place', 'Variable', 'Passing run', 'Failing run', 'Tests'].map(name => h('th', { scope: 'col' }, name)),
            ),
          ),
          h(
            'tbody',
            {},
            rows.map(({ place, variable, passing, failing, tests }) =>
              h(
                'tr',
                {},
                [place, variable, passing, failing, String(tests)].map(cell => h('td', {}, cell)),
              ),
            ),
          ),
        ),
      ),
      h('h3', {}, 'Transitions, the most likely defect first'),
      h(
        'ol',
        { class: 'sheet list' },
        transitions.map((text, i) => h('li', {}, h('code', { class: 'text' }, `${i + 1}. ${text}`))),
      ),
      sources.map(({ file, lines }) => h('div', { class: 'sheet chain' }, h('h3', {}, file), lines.map(sourceLine))),
    ],
  );

const sourceLine = ({ number, text, causes, transition, onlyFailing }, i, lines) => {
  const isGap = lines[i + 1] !== undefined && lines[i + 1].number !== number + 1;
  const rank = transition === undefined ? '' : transition === 1 ? ' transition' : ' transition lower';
  return [
    h(
      'div',
      { class: `line${rank}${onlyFailing ? ' only' : ''}` },
      h('span', { class: 'number' }, String(number)),
      h('span', { class: 'text' }, text || ' '),
      h(
        'span',
        { class: 'cause' },
        [...causes, onlyFailing ? 'only the failing run gets here' : ''].filter(Boolean).join('; '),
      ),
    ),
    isGap && h('div', { class: 'line skip' }),
  ];
};
