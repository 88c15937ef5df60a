/** The answer of a job that looks for a cause: it comes before everything else. */
import { copyButton } from './bug-report.js';
import { h } from './dom.js';
import { listed, patchLine } from './sections.js';

export const answer = () =>
  listed(
    'answer',
    'What is to blame',
    undefined,
    data => (data.answer?.places.length || data.answer?.commits?.length ? [data.answer] : []),
    ([{ places, commits = [], patches = [] }]) => [
      commits.length > 0 &&
        h(
          'ul',
          { class: 'sheet list' },
          commits.map(text => h('li', {}, h('code', { class: 'text' }, text))),
        ),
      places.map(place =>
        h(
          'figure',
          { class: 'sheet place' },
          h('figcaption', { class: 'mono' }, place.where),
          place.code && h('pre', { class: 'patch' }, place.code.replace(/\n$/, '').split('\n').map(patchLine)),
        ),
      ),
      patches.map(patch => {
        const place = h('div');
        return h(
          'div',
          { class: 'patch-row' },
          h('p', {}, h('code', {}, patch.name), ` ${patch.effect}`),
          copyButton(
            'Copy patch',
            () => patch.text,
            () => place,
          ),
          place,
        );
      }),
    ],
  );
