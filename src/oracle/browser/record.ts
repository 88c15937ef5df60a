/** Records what a user does in a page. */
import type { Frame, Page } from 'playwright-core';
import { UserError } from '../../core/index.js';
import { joinPresses } from '../../sources/recording/presses.js';
import { addressFrom, type Recording, relativeAddress, type Step } from '../../sources/recording/recording.js';
import { type BrowserOptions, openBrowser } from './browser.js';
import { bindingName, type PageMessage, recorderScript } from './recorder-in-page.js';

export interface RecorderOptions extends BrowserOptions {
  readonly title?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The folder that the recording will be written to: a page in that folder is named by a relative path. */
  readonly folder?: string;
  /** Each key as two actions (default), or what a text field holds afterwards as one, as DevTools does. */
  readonly typing?: 'keys' | 'values';
  /** Called after every action, so that the file on disk can always be complete. */
  readonly onChange?: (recording: Recording) => void;
  readonly signal?: AbortSignal;
}

export interface Recorder {
  /** What the user sees; tests drive it. */
  readonly page: Page;
  /** The steps so far. */
  recording(): Recording;
  /** The recording, once the page or the browser is closed or the signal says so. */
  readonly finished: Promise<Recording>;
  close(): Promise<void>;
}

/** A navigation this soon after an action is its consequence, not an action. */
const consequenceWithin = 1000;

/** Opens a page in a browser and records what the user does, in the format of Chrome's DevTools Recorder. */
export async function openRecorder(url: string, options: RecorderOptions = {}): Promise<Recorder> {
  const opened = await openBrowser({ headless: false, ...options });
  const { browser } = opened;
  const context = options.headless
    ? await browser.newContext({ viewport: options.viewport ?? { width: 1280, height: 720 } })
    : opened.context;
  const page = context.pages()[0] ?? (await context.newPage());
  const steps: Step[] = [];
  let lastActionAt = -Infinity;
  let began = false;
  let finish: () => void = () => {};
  const ended = new Promise<void>(resolve => {
    finish = resolve;
  });
  const recording = (): Recording => joinPresses({ title: options.title ?? `Recording of ${url}`, steps: [...steps] });
  const add = (step: Step, place: Pick<Step, 'target' | 'frame'> = {}) => {
    const next = { ...step, ...place };
    // Typed values and scrolling arrive as a series of newer states: only the last one is kept.
    if (stateOf(next) !== undefined && stateOf(next) === stateOf(steps.at(-1))) steps.pop();
    steps.push(next);
    lastActionAt = performance.now();
    options.onChange?.(recording());
  };

  await context.exposeBinding(bindingName, ({ frame, page: from }, message: PageMessage) => {
    if (!began) return;
    const path = pathOf(frame);
    add(stepOf(message), { target: from === page ? 'main' : from.url(), ...(path.length > 0 && { frame: path }) });
  });
  await context.addInitScript(recorderScript(options.typing ?? 'keys'));
  page.on('framenavigated', frame => {
    if (!began || frame !== page.mainFrame()) return;
    const last = steps.at(-1);
    if (last && performance.now() - lastActionAt < consequenceWithin) {
      if (last.type !== 'navigate')
        steps[steps.length - 1] = { ...last, assertedEvents: [{ type: 'navigation', url: frame.url(), title: '' }] };
    } else add({ type: 'navigate', url: frame.url() });
  });
  page.on('close', finish);
  browser.on('disconnected', finish);
  options.signal?.addEventListener('abort', finish, { once: true });
  if (options.signal?.aborted) finish();

  const close = async () => {
    finish();
    await opened.close();
  };
  const giveUp = () => void opened.close();
  options.signal?.addEventListener('abort', giveUp);
  try {
    options.signal?.throwIfAborted();
    await page.goto(addressFrom(options.folder, url), { waitUntil: 'load' });
  } catch (error) {
    await opened.close();
    options.signal?.throwIfAborted();
    throw new UserError(
      `The page ${url} does not load: ${String((error as Error).message)
        .split('\n')[0]!
        .replace(/^page\.goto: /, '')}.`,
      'Check the address, and that its server is running.',
    );
  } finally {
    options.signal?.removeEventListener('abort', giveUp);
  }
  const address = relativeAddress(options.folder, page.url());
  const [width, height, deviceScaleFactor] = (await page.evaluate(
    '[innerWidth, innerHeight, devicePixelRatio]',
  )) as number[];
  steps.push(
    {
      type: 'setViewport',
      width: width!,
      height: height!,
      deviceScaleFactor: deviceScaleFactor!,
      isMobile: false,
      hasTouch: false,
      isLandscape: width! >= height!,
    },
    {
      type: 'navigate',
      url: address,
      assertedEvents: [{ type: 'navigation', url: address, title: await page.title() }],
    },
  );
  began = true;
  const finished = ended.then(async () => {
    const made = recording();
    await opened.close();
    return made;
  });
  return { page, recording, finished, close };
}

/** The state that a step sets, if it does nothing else. */
const stateOf = (step: Step | undefined): string | undefined =>
  step?.type === 'change' || step?.type === 'scroll'
    ? JSON.stringify([step.type, step.selectors, step.frame, step.target])
    : undefined;

/** One thing that the user did, as a step. Presses and releases that belong together are folded into clicks later. */
function stepOf(message: PageMessage): Step {
  switch (message.did) {
    case 'press': {
      const { selectors, offsetX, offsetY, button, clickCount, modifiers } = message;
      return {
        type: 'customStep',
        name: 'culprit:mouseDown',
        parameters: { selectors, offsetX, offsetY, button, ...(clickCount > 1 && { clickCount }), modifiers },
      };
    }
    case 'release': {
      const { selectors, offsetX, offsetY, button, clickCount, modifiers } = message;
      return {
        type: 'customStep',
        name: 'culprit:mouseUp',
        parameters: {
          ...(!message.sameAsPress && { selectors, offsetX, offsetY }),
          button,
          ...(clickCount > 1 && { clickCount }),
          modifiers,
        },
      };
    }
    case 'hover':
      return { type: 'hover', selectors: message.selectors, offsetX: message.offsetX, offsetY: message.offsetY };
    case 'keyDown':
    case 'keyUp':
      return { type: message.did, key: message.key, code: message.code, modifiers: message.modifiers };
    case 'change':
      return { type: 'change', selectors: message.selectors, value: message.value };
    case 'select':
      return message.values.length === 1
        ? { type: 'change', selectors: message.selectors, value: message.values[0]! }
        : {
            type: 'customStep',
            name: 'culprit:select',
            parameters: { selectors: message.selectors, values: message.values },
          };
    case 'files':
      return {
        type: 'customStep',
        name: 'culprit:chooseFiles',
        parameters: { selectors: message.selectors, files: message.files },
      };
    case 'scroll':
      return { type: 'scroll', x: message.x, y: message.y, ...(message.selectors && { selectors: message.selectors }) };
  }
}

function pathOf(frame: Frame): number[] {
  const parent = frame.parentFrame();
  return parent ? [...pathOf(parent), parent.childFrames().indexOf(frame)] : [];
}
