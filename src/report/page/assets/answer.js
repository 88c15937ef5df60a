/** The answer of a job that looks for a cause: the page begins with it. */
import { copyButton } from './bug-report.js';
import { h } from './dom.js';
import { patchLine } from './sections.js';

export const isAnswered = ({ answer }) =>
  Boolean(answer?.places.length || answer?.revert?.length || answer?.commits?.length || answer?.suspects?.length);

/** The commits, what to take back, what is to blame, and a patch for each. */
export function answer({ places, revert, cause, needed = [], commits = [], patches = [], suspects = [] }) {
  const [undo, apply] = patches;
  const isSame = revert?.length === 0;
  return h(
    'div',
    { id: 'answer', class: 'answer' },
    commits.map(text => h('p', { class: 'commit mono' }, text)),
    // If there are any, the rest is too long to begin with, or not known.
    suspects.length > 0 && ranking(suspects),
    revert?.length > 0 && part('Smallest revert', revert, undo && [undo]),
    places.length > 0 &&
      (revert
        ? part(isSame ? 'The cause, and the smallest revert' : 'The cause', places, isSame ? patches : apply && [apply])
        : figures(places)),
    cause && h('section', { class: 'part' }, h('h2', {}, 'The cause'), h('p', {}, cause), apply && patchRow(apply)),
    needed.length > 0 &&
      h(
        'details',
        { class: 'needed' },
        h('summary', {}, `Needed only so that it builds or runs: ${needed.length} more`),
        h(
          'ul',
          { class: 'mono' },
          needed.map(where => h('li', {}, where)),
        ),
      ),
  );
}

function part(heading, places, patches = []) {
  return h('section', { class: 'part' }, h('h2', {}, heading), figures(places), patches.map(patchRow));
}

function figures(places) {
  return places.map((place, i) => [
    place.cause !== undefined &&
      i > 0 &&
      h('p', { class: 'soft' }, place.cause === places[i - 1].cause ? 'together with' : 'and, enough by itself'),
    h(
      'figure',
      { class: 'sheet place' },
      h('figcaption', { class: 'mono' }, place.where),
      place.code && h('pre', { class: 'patch' }, place.code.replace(/\n$/, '').split('\n').map(patchLine)),
    ),
  ]);
}

/** What is known if the search was stopped, or if the answer is too large to read. */
function ranking(suspects) {
  const row = (cell, values) =>
    h(
      'tr',
      {},
      values.map(value => h(cell, {}, value)),
    );
  return h(
    'section',
    { class: 'part' },
    h('h2', {}, 'The likeliest changes'),
    h(
      'div',
      { class: 'sheet table' },
      h(
        'table',
        {},
        h('thead', {}, row('th', ['Score', 'Change', 'Why'])),
        h(
          'tbody',
          {},
          suspects.map(({ score, where, reason }) => row('td', [score, where, reason])),
        ),
      ),
    ),
  );
}

function patchRow({ name, effect, text }) {
  const place = h('div');
  return h(
    'div',
    { class: 'patch-row' },
    h('p', {}, h('code', {}, name), ` ${effect}`),
    copyButton(
      'Copy patch',
      () => text,
      () => place,
    ),
    place,
  );
}
