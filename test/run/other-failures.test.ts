import { expect, test } from 'vitest';
import type { Event } from '../../src/engine/index.js';
import { showOthersWhenAsked } from '../../src/run/other-failures.js';

const noticed = (text: string): Event => ({ type: 'noticed', what: 'other failure', text, path: `kept/${text}` });
const answered = (reason?: string): Event => ({
  type: 'answered',
  step: 1,
  configuration: [0, 1],
  outcome: 'unresolved',
  known: false,
  ...(reason === undefined ? {} : { reason }),
});
const shownOf = (events: readonly Event[]): readonly string[] => {
  const shown: string[] = [];
  const see = showOthersWhenAsked(event => shown.push(event.type === 'noticed' ? event.text : event.type));
  for (const event of events) see(event);
  return shown;
};

test('another failure that only a speculative test has is not shown', () => {
  expect(shownOf([noticed('exit 3'), answered(), answered('timeout')])).toEqual(['answered', 'answered']);
});

test('it is shown once a question has it as its answer, whether it was tested before or is tested again', () => {
  const asked = answered('another failure: exit 3');
  expect(shownOf([noticed('exit 3'), answered(), asked, asked])).toEqual([
    'answered',
    'answered',
    'exit 3',
    'answered',
  ]);
  expect(shownOf([asked, noticed('exit 3')])).toEqual(['answered', 'exit 3']);
});

test('notes are shown at once', () => {
  expect(shownOf([{ type: 'noticed', what: 'note', text: 'slow' }])).toEqual(['slow']);
});
