/** The answer of a job that looks for a cause: the page begins with it. */
import { copyButton } from './bug-report.js';
import { h } from './dom.js';
import { patchLine } from './sections.js';

export const isAnswered = ({ answer }) => Boolean(answer?.places.length || answer?.commits?.length);

/** The commits, the lines, and the patches to copy. */
export function answer({ places, commits = [], patches = [] }) {
  return h(
    'div',
    { id: 'answer', class: 'answer' },
    commits.map(text => h('p', { class: 'commit mono' }, text)),
    places.map((place, i) => [
      place.cause !== undefined &&
        i > 0 &&
        h('p', { class: 'soft' }, place.cause === places[i - 1].cause ? 'together with' : 'and, enough by itself'),
      h(
        'figure',
        { class: 'sheet place' },
        h('figcaption', { class: 'mono' }, place.where),
        place.code && h('pre', { class: 'patch' }, place.code.replace(/\n$/, '').split('\n').map(patchLine)),
      ),
    ]),
    patches.map(patchRow),
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
