import { expect } from 'vitest';
import { actionsOf } from '../../../src/circumstances/actions.js';
import { openBrowser } from '../../../src/oracle/browser/browser.js';
import { findBrowser } from '../../../src/oracle/browser/browser-path.js';
import type { Recorder } from '../../../src/oracle/browser/record.js';

/** Tests here use a real browser. Where there is none they are skipped by name; where CI is set, never. */
export const withoutBrowser = findBrowser() === undefined && !process.env.CI;

/** A user at a recorder's page: trusted input, each action seen by the recorder before the next one. */
export function handsOn(recorder: Recorder) {
  const { page } = recorder;
  const count = () => actionsOf(recorder.recording()).count;
  const seen = async (act: () => Promise<unknown>, actions = 1) => {
    const goal = count() + actions;
    await act();
    for (const until = Date.now() + 60_000; count() < goal; ) {
      if (Date.now() > until) throw new Error(`the recorder saw ${count()} actions, not ${goal}`);
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  };
  const hands = {
    count,
    seen,
    moveTo: (selector: string) =>
      seen(async () => {
        const box = await page.locator(selector).boundingBox();
        await page.mouse.move(Math.round(box!.x + box!.width / 2), Math.round(box!.y + box!.height / 2));
      }),
    press: () => seen(() => page.mouse.down()),
    release: () => seen(() => page.mouse.up()),
    async click(selector: string) {
      await hands.moveTo(selector);
      await hands.press();
      await hands.release();
    },
    async key(key: string) {
      await seen(() => page.keyboard.down(key));
      await seen(() => page.keyboard.up(key));
    },
    async type(text: string) {
      for (const key of text) await hands.key(key);
    },
    async chord(modifier: string, key: string) {
      await seen(() => page.keyboard.down(modifier));
      await hands.key(key);
      await seen(() => page.keyboard.up(modifier));
    },
  };
  return hands;
}

/** The session of Mozilla's bug 24735, on our own page: print to a file with other margins, and then the same again. */
export async function printTwice(recorder: Recorder): Promise<void> {
  const hands = handsOn(recorder);
  await hands.click('#search-link');
  await hands.click('#summary');
  await hands.type('print');
  await hands.moveTo('#platform');
  await hands.click('#menu-view');
  await hands.click('#menu li:nth-of-type(1)');
  await hands.chord('Alt', 'p');
  await hands.click('#to-file');
  await hands.click('#file-name');
  await hands.chord('Control', 'a');
  await hands.type('a.ps');
  for (const side of ['bottom', 'right']) {
    await hands.click(`#margin-${side}`);
    await hands.chord('Control', 'a');
    await hands.type('.50');
  }
  await hands.click('#print-ok');
  await hands.click('#print-cancel');
  await hands.moveTo('#summary');
  await hands.chord('Alt', 'p');
  await hands.click('#file-name');
  await hands.key('End');
  await hands.click('#margin-right');
  await hands.key('Tab');
  await hands.click('#print-ok');
}

/** Runs an exported script for real: Playwright's page and locators, and an `expect` that means the same. */
export async function runScript(script: string): Promise<void> {
  const { default: ts } = await import('typescript');
  const { outputText } = ts.transpileModule(script.replace(/^import .*$/m, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  let body: ((fixtures: object) => Promise<void>) | undefined;
  const define = (_: string, given: typeof body) => {
    body = given;
  };
  new Function('test', 'expect', outputText)(define, expect);
  const opened = await openBrowser();
  try {
    const page = await (await opened.browser.newContext()).newPage();
    page.setDefaultTimeout(10_000);
    await body!({ page });
  } finally {
    await opened.close();
  }
}
