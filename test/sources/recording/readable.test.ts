/** Forms of a recording that a person would write. */
import { expect, test } from 'vitest';
import { playwrightScript } from '../../../src/sources/recording/playwright-script.js';
import { splitClicks } from '../../../src/sources/recording/presses.js';
import { readableForms } from '../../../src/sources/recording/readable.js';
import type { Recording, Step } from '../../../src/sources/recording/recording.js';

const open = { type: 'navigate', url: 'http://localhost/' } as const;
const recordingOf = (...steps: object[]) => ({ title: 'T', steps: [open, ...steps] }) as Recording;
const press = (id: string) => ({
  type: 'customStep',
  name: 'culprit:mouseDown',
  parameters: { selectors: [[`#${id}`]] },
});
const key = (type: 'keyDown' | 'keyUp', name: string) => ({ type, key: name });
const typed = (text: string) => [...text].flatMap(each => [key('keyDown', each), key('keyUp', each)]);
const linesOf = (recording: Recording) =>
  playwrightScript(recording)
    .split('\n')
    .filter(line => line.startsWith('  await'))
    .slice(1)
    .map(line => line.trim());

test('a press that nothing releases becomes a click, and a key that nothing releases a press', () => {
  const [form] = readableForms(recordingOf(press('arm'), key('keyDown', 'Enter')));
  expect(linesOf(form!)).toEqual(["await page.locator('#arm').click();", "await page.keyboard.press('Enter');"]);
});

test('typing after a click becomes fill, with the click as the second choice', () => {
  const session = recordingOf({ type: 'click', selectors: [['#name']] }, ...typed('Ada'), key('keyDown', 'Enter'));
  const forms = readableForms(splitClicks(session)).map(linesOf);
  expect(forms.slice(0, 2)).toEqual([
    ["await page.locator('#name').fill('Ada');", "await page.keyboard.press('Enter');"],
    [
      "await page.locator('#name').click();",
      "await page.locator('#name').fill('Ada');",
      "await page.keyboard.press('Enter');",
    ],
  ]);
});

test('a drag, held modifiers and what reads well already stay as they are', () => {
  const release = { type: 'customStep', name: 'culprit:mouseUp', parameters: {} };
  const drag = recordingOf(press('a'), { type: 'hover', selectors: [['#b']] }, release);
  expect(readableForms(drag)).toEqual([]);
  expect(readableForms(recordingOf(key('keyDown', 'Shift')))).toEqual([]);
  expect(readableForms(splitClicks(recordingOf({ type: 'click', selectors: [['#a']] })))).toEqual([]);
});

test('a change of a drop-down is selectOption, if the replay saw one', () => {
  const change: Step = { type: 'change', selectors: [['#size']], value: 'xl' };
  expect(linesOf(recordingOf(change))).toEqual(["await page.locator('#size').fill('xl');"]);
  expect(playwrightScript(recordingOf(change), { isDropDown: () => true })).toContain(
    "await page.locator('#size').selectOption('xl');",
  );
});
