/** One replay's browser context: its pages, and every error in them. */
import type { Browser, BrowserContext, CDPSession, Dialog, Page, Request, Response } from 'playwright-core';
import type { Modifier, Recording, Step } from '../../sources/recording/recording.js';
import {
  type ExceptionDetails,
  messageOf,
  type RemoteObject,
  type Sighting,
  type StackTrace,
  signatureOf,
  spoken,
} from './failing.js';

/** Where one recording is replayed once: a fresh context, its pages, and everything that went wrong in them. */
export interface Stage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly session: CDPSession;
  readonly sightings: Sighting[];
  /** Called at each sighting, so that a replay can end as soon as the failure is there. */
  onSight?: (sighting: Sighting) => void;
  /** What addresses without a scheme are relative to. */
  readonly folder: string | undefined;
  step: number;
  /** Requests under way. */
  requests: number;
  readonly pointer: { x: number; y: number; buttons: number };
  readonly held: Set<Modifier>;
  readonly openedAt: number;
  readonly sessions: Map<Page, CDPSession>;
  readonly split: { context: number; load: number };
  /** Nobody waits for it any more. */
  closed: boolean;
  close(): Promise<void>;
}

export interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly deviceScaleFactor?: number;
  readonly isMobile?: boolean;
  readonly hasTouch?: boolean;
}

/** The steps that come before the first action: they open the page. */
export function baseOf(recording: Recording): readonly Step[] {
  const first = recording.steps.findIndex(step => step.type === 'navigate');
  return recording.steps.slice(0, first + 1);
}

const viewportOf = (recording: Recording): Viewport => {
  const step = recording.steps.find(each => each.type === 'setViewport');
  return step?.type === 'setViewport' ? step : { width: 1280, height: 720 };
};

/** A fresh context with an empty page that is watched; nothing is loaded yet. */
export async function openStage(browser: Browser, recording: Recording, folder?: string): Promise<Stage> {
  const began = performance.now();
  const { width, height, deviceScaleFactor, isMobile, hasTouch } = viewportOf(recording);
  const context = await browser.newContext({
    viewport: { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) },
    ...(deviceScaleFactor && { deviceScaleFactor }),
    ...(isMobile && { isMobile }),
    ...(hasTouch && { hasTouch }),
    acceptDownloads: false,
  });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const stage: Stage = {
      context,
      page,
      session,
      sightings: [],
      folder,
      step: -1,
      requests: 0,
      pointer: { x: 0, y: 0, buttons: 0 },
      held: new Set(),
      openedAt: performance.now(),
      sessions: new Map([[page, session]]),
      split: { context: 0, load: 0 },
      closed: false,
      close: () => {
        stage.closed = true;
        return context.close().catch(() => {});
      },
    };
    watchContext(stage);
    await watchPage(stage, page, session);
    context.on('page', opened => void sessionOf(stage, opened).catch(() => {}));
    stage.split.context = performance.now() - began;
    return stage;
  } catch (error) {
    await context.close().catch(() => {});
    throw error;
  }
}

/** The DevTools session of a page; windows that the page opens get theirs when they appear. */
export async function sessionOf(stage: Stage, page: Page): Promise<CDPSession> {
  const known = stage.sessions.get(page);
  if (known) return known;
  const session = await stage.context.newCDPSession(page);
  stage.sessions.set(page, session);
  await watchPage(stage, page, session);
  return session;
}

export function see(stage: Stage, kind: Sighting['kind'], signature: string, text = signature): void {
  const sighting = {
    kind,
    signature: `${kind}: ${signature}`,
    text,
    step: stage.step,
    at: performance.now() - stage.openedAt,
  };
  stage.sightings.push(sighting);
  stage.onSight?.(sighting);
}

function watchContext(stage: Stage): void {
  const { context } = stage;
  context.on('request', () => stage.requests++);
  context.on('requestfinished', () => stage.requests--);
  context.on('requestfailed', (request: Request) => {
    stage.requests--;
    const reason = request.failure()?.errorText ?? 'failed';
    // A request that a navigation cut short is no failure of its own.
    if (reason !== 'net::ERR_ABORTED') see(stage, 'request', `${request.method()} ${pathOf(request.url())}: ${reason}`);
  });
  context.on('response', (response: Response) => {
    if (response.status() >= 400)
      see(stage, 'request', `${response.request().method()} ${pathOf(response.url())}: ${response.status()}`);
  });
  // Dialogs are answered with OK, or the page would stand still for ever.
  context.on('dialog', (dialog: Dialog) => {
    if (dialog.type() !== 'beforeunload')
      see(stage, 'dialog', signatureOf(`${dialog.type()} ${JSON.stringify(dialog.message())}`));
    dialog.accept(dialog.type() === 'prompt' ? dialog.defaultValue() : undefined).catch(() => {});
  });
}

async function watchPage(stage: Stage, page: Page, session: CDPSession): Promise<void> {
  page.on('crash', () => see(stage, 'crash', 'the page crashed'));
  session.on('Runtime.exceptionThrown', (event: { exceptionDetails: ExceptionDetails }) => {
    const details = event.exceptionDetails;
    const message = messageOf(details);
    see(
      stage,
      'exception',
      signatureOf(message, details.stackTrace),
      spoken(details.exception ?? { type: details.text }),
    );
  });
  session.on(
    'Runtime.consoleAPICalled',
    (event: { type: string; args: readonly RemoteObject[]; stackTrace?: StackTrace }) => {
      if (event.type !== 'error' && event.type !== 'assert') return;
      const text = event.args.map(spoken).join(' ');
      see(stage, 'console', signatureOf(text, event.stackTrace), text);
    },
  );
  await Promise.all([
    session.send('Runtime.enable'),
    // Otherwise a click on a file input would open the desktop's own dialog, which nobody closes.
    session.send('Page.setInterceptFileChooserDialog', { enabled: true }),
  ]);
}

function pathOf(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return protocol === 'data:' || protocol === 'blob:' ? `${protocol}…` : `${protocol}//${host}${pathname}`;
  } catch {
    return url;
  }
}
