/** The candidate of a row of the transcript: what was tested, beside what it was made from. */
import { visible } from './compare.js';
import { h, plural } from './dom.js';

const longestKept = 600;
const longestGone = 200;

/** Also explains why there is nothing to show. */
export function candidateOf(row, data) {
  const found = data.candidates?.rows[row.step];
  if (!found)
    return h(
      'p',
      { class: 'soft' },
      row.reason === 'infeasible'
        ? 'This candidate could not be built, so nothing was tested.'
        : data.passes[row.pass]?.strategy === 'repeat'
          ? 'This is the result itself, tested again.'
          : 'This candidate was not stored: it is too large or too long ago. The journal has its configuration.',
    );
  const [base, changes] = found;
  const files = data.candidates.bases[base];
  const parts = Object.entries(changes).map(([path, change]) =>
    h(
      'figure',
      {},
      Object.keys(files).length > 1 && h('figcaption', { class: 'mono' }, path, change === null && ' (removed)'),
      change !== null &&
        h('pre', { class: 'code-text', tabindex: '0' }, pieces(change, data.candidates.texts[files[path]])),
    ),
  );
  return [
    parts.length > 0 ? parts : h('p', { class: 'soft' }, 'This is the artifact itself: nothing was removed.'),
    h('p', { class: 'soft' }, 'Struck out: removed in this test. Marked: put in its place.'),
  ];
}

function pieces(change, old) {
  const shown = [];
  let at = 0;
  for (let i = 0; i < change.length; i++) {
    if (typeof change[i] === 'string') shown.push(h('ins', {}, visible(change[i])));
    else {
      shown.push(gone(old.slice(at, change[i])), kept(old.slice(change[i], change[i + 1])));
      at = change[++i];
    }
  }
  return [...shown, gone(old.slice(at))];
}

const gone = text => text && h('del', {}, shortened(text, longestGone));
const kept = text => shortened(text, longestKept);

function shortened(text, longest) {
  if (text.length <= longest) return visible(text);
  const half = longest / 2;
  return [
    visible(text.slice(0, half)),
    h('span', { class: 'skip-text' }, ` … ${plural(text.length - longest, 'character')} … `),
    visible(text.slice(-half)),
  ];
}
