/** Puts the sections of the page together, and updates them if the page is live. */
import { versionLines } from './bug-report.js';
import { chain } from './chain.js';
import { comparison } from './compare.js';
import { h, svg } from './dom.js';
import { gains } from './gains.js';
import { groups } from './groups.js';
import { plot } from './plot.js';
import { notes, otherFailures, pictures, table, timeline, tree } from './sections.js';
import { summary } from './summary.js';
import { transcript } from './transcript.js';

const store = {
  // A page opened as a file may not be allowed to remember anything.
  get: key => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set: (key, value) => {
    try {
      localStorage.setItem(key, value);
    } catch {}
  },
};

let data = JSON.parse(document.getElementById('data').textContent);
const chart = plot();
const sections = [
  summary(),
  groups(),
  timeline(),
  chain(),
  comparison(),
  tree(),
  table(),
  pictures(),
  chart,
  gains(),
  transcript(),
  otherFailures(),
  notes(),
];

const themes = ['auto', 'light', 'dark'];
const dark = matchMedia('(prefers-color-scheme: dark)');
const theme = h('button', {
  type: 'button',
  class: 'tool',
  id: 'theme',
  onclick: () => setTheme(themes[(themes.indexOf(current()) + 1) % 3]),
});
const half = () =>
  svg(
    '0 0 16 16',
    {
      d: 'M8 1.75a6.25 6.25 0 1 0 0 12.5a6.25 6.25 0 1 0 0-12.5z',
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': '1.5',
    },
    { d: 'M8 1.75a6.25 6.25 0 0 1 0 12.5z', fill: 'currentColor' },
  );
const current = () => document.documentElement.dataset.theme ?? 'auto';
const setTheme = name => {
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  store.set('culprit-theme', name);
  theme.replaceChildren(half(), { auto: 'Auto', light: 'Light', dark: 'Dark' }[name]);
  theme.setAttribute('aria-label', `Colours: ${name}. Change`);
  chart.restyle();
};

const links = [
  ['groups', 'Groups'],
  ['timeline', 'Orders'],
  ['chain', 'Causes'],
  ['remains', 'What remains'],
  ['changes', 'Changes'],
  ['table', 'What matters'],
  ['pictures', 'Screenshots'],
  ['plot', 'Plot'],
  ['gains', 'Gain per pass'],
  ['transcript', 'Transcript'],
  ['others', 'Other failures'],
];
const navigation = h('nav', { 'aria-label': 'Sections' });

document.getElementById('page').replaceChildren(
  h(
    'header',
    { class: 'bar' },
    h(
      'span',
      { class: 'brand' },
      svg('0 0 16 16', { d: 'M1.5 3h4.5v4h4v3.5h4.5', fill: 'none', stroke: 'currentColor', 'stroke-width': '2.2' }),
      'culprit',
    ),
    navigation,
    h('div', { class: 'tools' }, theme),
  ),
  h(
    'main',
    {},
    sections.map(part => part.root),
  ),
  h(
    'footer',
    {},
    data.called && h('p', {}, h('code', {}, data.called)),
    h('p', {}, versionLines(data).join(' · ')),
    h('p', {}, 'Written by culprit. This page is one file and loads nothing from elsewhere.'),
  ),
);

function update() {
  for (const part of sections) part.update(data);
  const there = links.filter(([id]) => !document.getElementById(id).hidden);
  if (navigation.childElementCount !== there.length)
    navigation.replaceChildren(...there.map(([id, text]) => h('a', { href: `#${id}` }, text)));
}

update();
setTheme(themes.includes(store.get('culprit-theme')) ? store.get('culprit-theme') : 'auto');
dark.addEventListener('change', () => chart.restyle());

if (data.live) {
  const source = new EventSource(data.live);
  source.onmessage = message => {
    const { from, ...news } = JSON.parse(message.data);
    // Rows come in pieces: those after `from`. A run that began again starts from 0.
    const rows = from === 0 ? news.rows : [...data.rows.filter(row => row.step <= from), ...news.rows];
    data = { ...data, ...news, rows, ended: news.ended };
    update();
  };
}
