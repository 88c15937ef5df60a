/** One replay's browser context: its pages, and every error in them. */
import type { Browser, BrowserContext, CDPSession, Dialog, Page, Request, Response } from 'playwright-core';
import type { Modifier, Recording, Step } from '../../sources/recording/recording.js';
import {
  type ExceptionDetails,
  messageOf,
  type PageError,
  type RemoteObject,
  type StackTrace,
  signatureOf,
  textOfValue,
} from './failing.js';

/** Where one recording is replayed once: a fresh context, its pages, and everything that went wrong in them. */
export interface PageSession {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly session: CDPSession;
  readonly errors: PageError[];
  /** Called for each error, so that a replay can end as soon as the failure shows. */
  onError?: (error: PageError) => void;
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
  /** It is no longer needed. */
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
export async function openPageSession(browser: Browser, recording: Recording, folder?: string): Promise<PageSession> {
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
    const tab: PageSession = {
      context,
      page,
      session,
      errors: [],
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
        tab.closed = true;
        return context.close().catch(() => {});
      },
    };
    watchContext(tab);
    await watchPage(tab, page, session);
    context.on('page', opened => void sessionOf(tab, opened).catch(() => {}));
    tab.split.context = performance.now() - began;
    return tab;
  } catch (error) {
    await context.close().catch(() => {});
    throw error;
  }
}

/** The DevTools session of a page; windows that the page opens get theirs when they appear. */
export async function sessionOf(tab: PageSession, page: Page): Promise<CDPSession> {
  const known = tab.sessions.get(page);
  if (known) return known;
  const session = await tab.context.newCDPSession(page);
  tab.sessions.set(page, session);
  await watchPage(tab, page, session);
  return session;
}

export function recordError(tab: PageSession, kind: PageError['kind'], signature: string, text = signature): void {
  const error = {
    kind,
    signature: `${kind}: ${signature}`,
    text,
    step: tab.step,
    at: performance.now() - tab.openedAt,
  };
  tab.errors.push(error);
  tab.onError?.(error);
}

function watchContext(tab: PageSession): void {
  const { context } = tab;
  context.on('request', () => tab.requests++);
  context.on('requestfinished', () => tab.requests--);
  context.on('requestfailed', (request: Request) => {
    tab.requests--;
    const reason = request.failure()?.errorText ?? 'failed';
    // A request that a navigation cut short is not a failure.
    if (reason !== 'net::ERR_ABORTED')
      recordError(tab, 'request', `${request.method()} ${pathOf(request.url())}: ${reason}`);
  });
  context.on('response', (response: Response) => {
    if (response.status() >= 400)
      recordError(tab, 'request', `${response.request().method()} ${pathOf(response.url())}: ${response.status()}`);
  });
  // Dialogs are answered with OK, or the page would hang forever.
  context.on('dialog', (dialog: Dialog) => {
    if (dialog.type() !== 'beforeunload')
      recordError(tab, 'dialog', signatureOf(`${dialog.type()} ${JSON.stringify(dialog.message())}`));
    dialog.accept(dialog.type() === 'prompt' ? dialog.defaultValue() : undefined).catch(() => {});
  });
}

async function watchPage(tab: PageSession, page: Page, session: CDPSession): Promise<void> {
  page.on('crash', () => recordError(tab, 'crash', 'the page crashed'));
  session.on('Runtime.exceptionThrown', (event: { exceptionDetails: ExceptionDetails }) => {
    const details = event.exceptionDetails;
    const message = messageOf(details);
    recordError(
      tab,
      'exception',
      signatureOf(message, details.stackTrace),
      textOfValue(details.exception ?? { type: details.text }),
    );
  });
  session.on(
    'Runtime.consoleAPICalled',
    (event: { type: string; args: readonly RemoteObject[]; stackTrace?: StackTrace }) => {
      if (event.type !== 'error' && event.type !== 'assert') return;
      const text = event.args.map(textOfValue).join(' ');
      recordError(tab, 'console', signatureOf(text, event.stackTrace), text);
    },
  );
  await Promise.all([
    session.send('Runtime.enable'),
    // Otherwise a click on a file input would open a desktop dialog that nobody closes.
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
