/** Groups of failing inputs: a row per group, with its minimal form, its stack, its files and its command. */
import { h, number, plural } from './dom.js';
import { listed } from './sections.js';

export const groups = () =>
  listed(
    'groups',
    'Groups',
    'Each group is as different as possible from those above it. Its variants fail with the same signature on another stack.',
    data => data.groups,
    all =>
      h(
        'div',
        { class: 'sheet table groups', tabindex: '0', role: 'region', 'aria-label': 'Groups' },
        h(
          'table',
          {},
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              ['', 'Minimal form', 'Failure and stack', 'Files'].map(name => h('th', { scope: 'col' }, name)),
            ),
          ),
          h('tbody', {}, all.flatMap(rows)),
        ),
      ),
  );

const rows = ({ number: at, variants }) =>
  variants.map((variant, i) =>
    h(
      'tr',
      { class: i > 0 && 'variant' },
      h('th', { scope: 'row' }, i === 0 ? String(at) : ''),
      h('td', {}, ...form(variant)),
      h(
        'td',
        {},
        h('p', { class: 'failure' }, variant.failure),
        otherStacks(variant).map(stack => h('p', { class: 'stack mono' }, stack)),
        variant.command && h('p', { class: 'mono call' }, h('code', {}, variant.command)),
      ),
      h('td', {}, files(variant)),
    ),
  );

/** The failure often names the stack already. */
const otherStacks = ({ failure, stacks }) => stacks.filter(stack => !failure.replaceAll('`', '').includes(stack));

function form({ form: text, bytes, isMinimal }) {
  if (text === undefined) return [h('span', { class: 'soft' }, 'not reduced')];
  return [
    h('pre', {}, text === '' ? '(empty)' : text),
    h('span', { class: 'soft' }, `${plural(bytes, 'byte')}${isMinimal ? '' : ', not proven minimal'}`),
  ];
}

function files({ files: names, count, containing }) {
  return h(
    'details',
    {},
    h('summary', {}, number(count)),
    containing > 0 && h('p', { class: 'soft' }, `${number(containing)} contain the form as it is`),
    h(
      'ul',
      { class: 'mono' },
      names.map(name => h('li', {}, name)),
    ),
    count > names.length && h('p', { class: 'soft' }, `and ${number(count - names.length)} more, in triage.json`),
  );
}
