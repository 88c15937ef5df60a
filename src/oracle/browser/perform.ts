/** Performs one step of a recording in a page. */
import type { Frame, Page } from 'playwright-core';
import {
  addressFrom,
  type ChosenFile,
  type OwnStep,
  type Place,
  type Selectors,
  type Step,
} from '../../sources/recording/recording.js';
import { type Found, type Search, searchScript } from './in-page.js';
import { move, press, pressKey, type Receiver } from './input.js';
import { type PageSession, sessionOf } from './page-session.js';

/** The element that a step is about is not there: the configuration makes no sense, which is not a failure. */
export class Missing extends Error {
  override readonly name = 'Missing';
}

export interface Performing {
  /** How long an element may take to appear, in milliseconds. */
  readonly patience: number;
  /** Called with how long a step waited for its element. */
  readonly onWait?: (milliseconds: number) => void;
  /** Called with the steps that set a drop-down: a recording does not say what kind of control changed. */
  readonly onDropDown?: (selectors: Selectors) => void;
}

/** Performs the step as the user did. Input goes through the browser's own input queue, so the page sees trusted events. */
export async function perform(tab: PageSession, step: Step, how: Performing): Promise<void> {
  const page = await pageOf(tab, step, how);
  const session = await sessionOf(tab, page);
  const at: At = { tab, step, page, session, frame: frameOf(page, step), how };
  const asserted = step.assertedEvents?.some(event => event.type === 'navigation');
  const navigated = asserted
    ? page.waitForEvent('framenavigated', { timeout: Math.max(how.patience, 100) }).then(
        () => page.waitForLoadState('domcontentloaded'),
        () => {}, // what caused it in the original may have been left out; what follows will show
      )
    : undefined;
  // If the step itself fails, nothing waits for the navigation any more, and it may still time out.
  navigated?.catch(() => {});
  await act(at);
  await navigated;
}

interface At extends Receiver {
  readonly step: Step;
  readonly page: Page;
  readonly frame: Frame;
  readonly how: Performing;
}

async function act(at: At): Promise<void> {
  const { tab, step, page, session } = at;
  switch (step.type) {
    case 'setViewport':
      return page.setViewportSize({ width: Math.round(step.width), height: Math.round(step.height) });
    case 'emulateNetworkConditions': {
      const { download, upload, latency } = step;
      const conditions = {
        offline: download === 0 && upload === 0,
        latency,
        downloadThroughput: download,
        uploadThroughput: upload,
      };
      await session.send('Network.enable');
      await session.send('Network.emulateNetworkConditions', conditions);
      return;
    }
    case 'navigate':
      await page.goto(addressFrom(tab.folder, step.url), { waitUntil: 'load' });
      return;
    case 'click':
    case 'doubleClick': {
      const { x, y } = await pointAt(at, step);
      const events = [move(at, x, y, step.modifiers)];
      for (let count = 1; count <= (step.type === 'click' ? 1 : 2); count++) {
        const click = { button: step.button, count, modifiers: step.modifiers };
        events.push(press(at, 'mousePressed', click), press(at, 'mouseReleased', click));
      }
      await Promise.all(events);
      return;
    }
    case 'hover': {
      const { x, y } = await pointAt(at, step);
      return move(at, x, y);
    }
    case 'change':
      return change(at, step);
    case 'keyDown':
    case 'keyUp':
      return pressKey(at, step);
    case 'scroll':
      await (step.selectors
        ? locate(at, {
            selectors: step.selectors,
            purpose: 'scroll',
            ...(step.x !== undefined && { x: step.x }),
            ...(step.y !== undefined && { y: step.y }),
          })
        : at.frame.evaluate(`window.scrollTo({ left: ${step.x ?? 0}, top: ${step.y ?? 0}, behavior: 'instant' })`));
      return;
    case 'waitForElement': {
      const { selectors, operator, count } = step;
      await locate(at, {
        selectors,
        purpose: 'count',
        ...(operator && { operator }),
        ...(count !== undefined && { count }),
      });
      return;
    }
    case 'waitForExpression':
      await at.frame
        .waitForFunction(`Boolean(${step.expression})`, undefined, {
          timeout: Math.max(at.how.patience, 1),
          polling: 20,
        })
        .catch(() => {
          throw new Missing(`${step.expression} does not become true`);
        });
      return;
    case 'close':
      if (page !== tab.page) await page.close();
      return;
    case 'customStep':
      return actOwn(at, step);
  }
}

async function actOwn(at: At, step: OwnStep): Promise<void> {
  switch (step.name) {
    case 'culprit:mouseDown':
    case 'culprit:mouseUp': {
      const { selectors, offsetX, offsetY, button, clickCount, modifiers } = step.parameters;
      const events: Promise<void>[] = [];
      if (selectors) {
        const { x, y } = await pointAt(at, placeOf(selectors, offsetX, offsetY));
        events.push(move(at, x, y, modifiers));
      }
      const type = step.name === 'culprit:mouseDown' ? 'mousePressed' : 'mouseReleased';
      events.push(press(at, type, { button, count: clickCount ?? 1, modifiers }));
      await Promise.all(events);
      return;
    }
    case 'culprit:select':
      await locate(at, { selectors: step.parameters.selectors, purpose: 'select', values: step.parameters.values });
      return;
    case 'culprit:chooseFiles':
      return chooseFiles(at, step.parameters, step.parameters.files);
  }
}

async function change(at: At, step: Extract<Step, { type: 'change' }>): Promise<void> {
  const { selectors, value } = step;
  const found = await locate(at, { selectors, purpose: 'set', values: [value] });
  if (found.isDropDown) at.how.onDropDown?.(selectors);
  if (!found.typed) return;
  if (value !== '') await at.session.send('Input.insertText', { text: value });
  else await pressKey(at, { type: 'keyDown', key: 'Delete', modifiers: [] });
}

async function chooseFiles(at: At, place: Place, files: readonly ChosenFile[]): Promise<void> {
  await locate(at, { selectors: place.selectors, purpose: 'find' });
  const handle = await at.frame.evaluateHandle(`(${elementSource})(${JSON.stringify(place.selectors)})`);
  const element = handle.asElement();
  if (!element) throw new Missing('the file input is not there');
  await element.setInputFiles(
    files.map(({ name, mimeType, base64 }) => ({
      name,
      mimeType: mimeType ?? 'application/octet-stream',
      buffer: Buffer.from(base64, 'base64'),
    })),
  );
}

/** Files can only be given to an element itself, so this one is found by its CSS selector. */
const elementSource = `selectors => {
  for (const chain of selectors) {
    let root = document;
    for (const part of [].concat(chain)) {
      if (/^(aria|text|xpath|culprit:[a-z-]+)\\//.test(part)) { root = null; break; }
      root = root && (root.shadowRoot || root).querySelector(part.replace(/^(css|pierce)\\//, ''));
    }
    if (root) return root;
  }
}`;

const placeOf = (selectors: Place['selectors'], offsetX?: number, offsetY?: number): Place => ({
  selectors,
  ...(offsetX !== undefined && { offsetX }),
  ...(offsetY !== undefined && { offsetY }),
});

async function pointAt(at: At, place: Place): Promise<{ x: number; y: number }> {
  const found = await locate(at, { ...placeOf(place.selectors, place.offsetX, place.offsetY), purpose: 'point' });
  if (at.frame === at.page.mainFrame()) return found;
  const owner = await (await at.frame.frameElement()).boundingBox();
  return { x: found.x + (owner?.x ?? 0), y: found.y + (owner?.y ?? 0) };
}

async function locate(at: At, wanted: Omit<Search, 'patience'>): Promise<Extract<Found, { missing: false }>> {
  const began = performance.now();
  for (;;) {
    const patience = Math.max(0, at.how.patience - (performance.now() - began));
    const found = await evaluate(at, searchScript({ ...wanted, patience }));
    if (found === undefined) {
      // The page navigated away during the search; search again in the new page.
      await at.page.waitForLoadState('domcontentloaded');
      continue;
    }
    if (found.missing) throw new Missing(`there is no ${JSON.stringify(wanted.selectors[0])}`);
    at.how.onWait?.(performance.now() - began);
    return found;
  }
}

async function evaluate(at: At, expression: string): Promise<Found | undefined> {
  try {
    if (at.frame !== at.page.mainFrame()) return (await at.frame.evaluate(expression)) as Found;
    const answer = await at.session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (answer.exceptionDetails)
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value as Found;
  } catch (error) {
    if (/context was destroyed|Cannot find context|navigated or closed|Promise was collected/i.test(String(error)))
      return undefined;
    throw error;
  }
}

function frameOf(page: Page, step: Step): Frame {
  let frame = page.mainFrame();
  for (const child of step.frame ?? []) {
    const next = frame.childFrames()[child];
    if (!next) throw new Missing(`there is no frame ${step.frame!.join(', ')}`);
    frame = next;
  }
  return frame;
}

async function pageOf(tab: PageSession, step: Step, how: Performing): Promise<Page> {
  const { target } = step;
  if (target === undefined || target === 'main') return tab.page;
  const find = () => tab.context.pages().find(page => page !== tab.page && page.url() === target);
  if (tab.page.url() === target) return tab.page;
  const known = find();
  if (known) return known;
  const opened = await tab.context
    .waitForEvent('page', {
      timeout: Math.max(how.patience, 1),
      predicate: page =>
        page.waitForURL(target).then(
          () => true,
          () => false,
        ),
    })
    .catch(() => undefined);
  const page = opened ?? find();
  if (!page) throw new Missing(`there is no window with the address ${target}`);
  return page;
}
