/** The summary at the top of the page. */
import { answer, isAnswered } from './answer.js';
import { bugReport, copyButton, downloadButton } from './bug-report.js';
import { amount, duration, h, number, share } from './dom.js';

/** The first thing to see: the answer, or how small it got; what that is worth, which failure, and how to have it again. */
export function summary() {
  const root = h('section', { class: 'hero', id: 'summary', 'aria-label': 'Result' });
  return { root, update: data => root.replaceChildren(...parts(data).filter(Boolean)) };
}

const states = { done: 'done', budget: 'stopped: budget used up', interrupted: 'interrupted', running: 'running' };

function parts(data) {
  const state = data.ended ?? 'running';
  const smaller = data.best < data.before;
  const times = data.best > 0 ? data.before / data.best : 0;
  return [
    h(
      'div',
      { class: 'kicker' },
      h('h1', {}, data.title),
      h('span', { class: 'state', 'data-state': state, role: 'status' }, states[state]),
    ),
    lead(data),
    h(
      'p',
      { class: hasSentence(data) ? 'proof sentence' : 'proof' },
      data.proof,
      smaller &&
        !data.hasSentence &&
        h(
          'span',
          { class: 'soft' },
          ` ${capital(share(data.best, data.before))} of the original is left${times >= 2 ? `: ${number(times)} times smaller` : ''}.`,
        ),
    ),
    stats(data),
    facts(data),
    tools(data),
  ];
}

const capital = text => text[0].toUpperCase() + text.slice(1);

/** Some jobs answer with lines, some with a sentence: a number of deltas says nothing about either. */
const hasSentence = data => Boolean(data.hasSentence && !data.groups && !data.chain && !isAnswered(data));
const lead = data => (isAnswered(data) ? answer(data.answer) : !hasSentence(data) && figure(data));

function figure({ before, best, unit, groups, chain }) {
  const smaller = best < before;
  return h(
    'p',
    { class: 'figure' },
    smaller && h('span', { class: 'was' }, number(before)),
    smaller && h('span', { class: 'arrow', 'aria-label': 'to' }, '→'),
    h('span', {}, number(best), ' ', h('span', { class: 'unit' }, unitOf({ best, unit, groups, chain }))),
  );
}

function unitOf({ best, unit, groups, chain }) {
  if (groups) return 'groups';
  if (chain) return best === 1 ? 'cause' : 'causes';
  return amount(best, unit).replace(/^\S+ /, '');
}

/** What people do with a result: take it, and report it. */
function tools(data) {
  const place = h('div');
  const [file, ...others] = data.comparisons.filter(each => each.download);
  return h(
    'div',
    { class: 'take' },
    h(
      'div',
      { class: 'tools' },
      file && others.length === 0 && downloadButton(file, data.title),
      copyButton(
        'Copy bug report (Markdown)',
        () => bugReport(data),
        () => place,
      ),
    ),
    place,
  );
}

function stats({ counts, seconds, speed }) {
  const all = [
    ['Tests', number(counts.tests)],
    ['Run', number(counts.executed)],
    ['Cached', number(counts.cached)],
    ['Unresolved', number(counts.unresolved)],
    ['Time', duration(seconds)],
    ['Per second', speed >= 10 ? number(speed) : speed.toFixed(1)],
  ];
  return h(
    'dl',
    { class: 'stats' },
    all.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}

function facts(data) {
  const commands = [
    ['Reproduce', data.reproduce],
    ['Resume', data.ended === 'done' ? undefined : data.resume],
  ].filter(([, text]) => text);
  return h(
    'div',
    { class: 'facts' },
    data.signature &&
      h(
        'div',
        { class: 'fact' },
        h('h2', {}, 'The failure'),
        h('pre', { class: 'quote' }, data.signature),
        data.rule && h('p', {}, data.rule),
      ),
    (commands.length > 0 || data.command) &&
      h(
        'div',
        { class: 'fact' },
        h('h2', {}, commands.length > 0 ? commands.map(([name]) => name).join(' · ') : 'The command'),
        (commands.length > 0 ? commands : [['The command', data.command]]).map(([name, text]) => command(name, text)),
        data.output && h('p', {}, 'The result is in ', h('code', {}, data.output), '.'),
        data.run && h('p', {}, 'Journal and other files: ', h('code', {}, data.run)),
      ),
  );
}

function command(name, text) {
  const place = h('div');
  const button = copyButton(
    'Copy',
    () => text,
    () => place,
  );
  button.firstChild.setAttribute('aria-label', `Copy: ${name}`);
  return [h('div', { class: 'command' }, h('code', {}, text), button), place];
}
