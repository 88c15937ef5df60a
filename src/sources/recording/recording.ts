/** Reads and checks recordings in the format of the DevTools Recorder. */
import { relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UserError } from '../../core/index.js';
import { Mismatch } from '../../core/schema.js';
import { checkFields, ownSteps, recordingFields, steps } from './recording-schema.js';

/**
 * User actions in the format of Chrome's DevTools Recorder (its schema is that of `@puppeteer/replay`), read as exported.
 * If the format cannot express something a user does, the step is a `customStep` whose name begins with `culprit:`;
 * properties that we add to standard steps (`modifiers`, `code`) are ones that DevTools ignores when it reads them.
 */
export interface Recording {
  readonly title: string;
  readonly steps: readonly Step[];
  readonly timeout?: number;
  readonly selectorAttribute?: string;
}

/** Ways to find one element, best first. A list within the list goes through shadow roots, one selector for each. */
export type Selectors = readonly (string | readonly string[])[];
export type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';
export type Button = 'primary' | 'auxiliary' | 'secondary' | 'back' | 'forward';

interface Common {
  readonly timeout?: number;
  readonly assertedEvents?: readonly { readonly type: string; readonly url?: string; readonly title?: string }[];
  /** `main`, or the address of a window that the page opened. */
  readonly target?: string;
  /** Which frame, as a path of child numbers from the top. */
  readonly frame?: readonly number[];
}

/** A position on the page: an element, and the offset from its top left corner (its middle by default). */
export interface Place {
  readonly selectors: Selectors;
  readonly offsetX?: number;
  readonly offsetY?: number;
}

/** Modifier keys that an event carries; if absent, those that the recording itself holds down at that moment. */
interface Held {
  readonly modifiers?: readonly Modifier[];
}

export interface ChosenFile {
  readonly name: string;
  readonly mimeType?: string;
  readonly base64: string;
}

/** The parameters of our own steps. */
export interface OwnParameters {
  /** Without a position, a button is pressed or released wherever the pointer is. */
  readonly 'culprit:mouseDown': Partial<Place> & Held & { readonly button?: Button; readonly clickCount?: number };
  readonly 'culprit:mouseUp': Partial<Place> & Held & { readonly button?: Button; readonly clickCount?: number };
  readonly 'culprit:select': Place & { readonly values: readonly string[] };
  readonly 'culprit:chooseFiles': Place & { readonly files: readonly ChosenFile[] };
}
export type OwnName = keyof OwnParameters;

export type OwnStep = {
  [Name in OwnName]: Common & {
    readonly type: 'customStep';
    readonly name: Name;
    readonly parameters: OwnParameters[Name];
  };
}[OwnName];

export type Step =
  | (Common & {
      readonly type: 'setViewport';
      readonly width: number;
      readonly height: number;
      readonly deviceScaleFactor?: number;
      readonly isMobile?: boolean;
      readonly hasTouch?: boolean;
      readonly isLandscape?: boolean;
    })
  | (Common & {
      readonly type: 'emulateNetworkConditions';
      readonly download: number;
      readonly upload: number;
      readonly latency: number;
    })
  | (Common & { readonly type: 'navigate'; readonly url: string })
  | (Common &
      Place &
      Held & { readonly type: 'click' | 'doubleClick'; readonly button?: Button; readonly duration?: number })
  | (Common & Place & { readonly type: 'hover' })
  | (Common & Place & { readonly type: 'change'; readonly value: string })
  | (Common & Held & { readonly type: 'keyDown' | 'keyUp'; readonly key: string; readonly code?: string })
  | (Common & { readonly type: 'scroll'; readonly x?: number; readonly y?: number; readonly selectors?: Selectors })
  | (Common & {
      readonly type: 'waitForElement';
      readonly selectors: Selectors;
      readonly operator?: '>=' | '==' | '<=';
      readonly count?: number;
      readonly visible?: boolean;
    })
  | (Common & { readonly type: 'waitForExpression'; readonly expression: string })
  | (Common & { readonly type: 'close' })
  | OwnStep;

const howToGetOne =
  'Export one from Chrome (DevTools, Recorder, Export as JSON), or make one with:\n  culprit record <url>';

/** Reads a recording from its JSON text; `name` is what messages call it. */
export function readRecording(text: string, name = 'the recording'): Recording {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`${name} is not a recording: it is not JSON (${(error as Error).message}).`, howToGetOne);
  }
  return checkRecording(value, name);
}

/** Checks that a value from outside is a recording, step by step; otherwise throws a sentence that names the step. */
export function checkRecording(value: unknown, name = 'the recording'): Recording {
  if (!isObject(value) || !Array.isArray(value.steps))
    throw new UserError(`${name} is not a recording: it has no list of "steps".`, howToGetOne);
  matching(name, () => recordingFields(value));
  for (const [index, step] of value.steps.entries()) checkStep(step, `step ${index + 1} of ${name}`);
  if (!value.steps.some(step => step.type === 'navigate'))
    throw new UserError(
      `${name} never opens a page: it has no "navigate" step.`,
      'Add one before the first action: {"type": "navigate", "url": "https://…"}.',
    );
  return { ...value, title: typeof value.title === 'string' ? value.title : 'recording' } as unknown as Recording;
}

function checkStep(step: unknown, where: string): void {
  if (!isObject(step) || typeof step.type !== 'string')
    throw new UserError(`${where} is not a step: it has no "type".`, howToGetOne);
  const { type, name } = step;
  if (!isTypeOfStep(type))
    throw new UserError(
      `${where} has the type "${type}", which culprit does not know.`,
      `Known types are ${Object.keys(steps).join(', ')}. Remove the step from the recording if it does not matter.`,
    );
  matching(`${where} (${type})`, () => checkFields(step, type));
  if (type !== 'customStep') return;
  if (!isOwnName(name))
    throw new UserError(
      `${where} is a customStep named "${name}", which culprit can't replay.`,
      `Known custom steps are ${Object.keys(ownSteps).join(', ')}. Remove the step if it does not matter.`,
    );
  matching(`${where} (${name})`, () => ownSteps[name](step.parameters));
}

const isTypeOfStep = (type: string): type is Step['type'] => Object.hasOwn(steps, type);
const isOwnName = (name: unknown): name is OwnName => Object.hasOwn(ownSteps, name as string);

/** If a reader rejects a value, the recording is at fault, and a sentence says so. */
function matching(where: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw new UserError(`${where}: ${error.message}.`, 'Correct the step by hand, or record again.');
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An address as the browser needs it. One without a scheme is a file next to the recording, so that both can move together. */
export const addressFrom = (folder: string | undefined, url: string): string =>
  /^[a-z][a-z\d+.-]+:/i.test(url) ? url : pathToFileURL(resolve(folder ?? '.', url)).href;

/** The opposite, for files within the folder. */
export function relativeAddress(folder: string | undefined, url: string): string {
  if (folder === undefined || !url.startsWith('file:')) return url;
  const path = relative(resolve(folder), fileURLToPath(url));
  return path.startsWith('..') ? url : path.split(sep).join('/');
}

/** The same recording for another folder, or for any: relative pages of the old folder are still found. */
export const relocate = (recording: Recording, from: string, to?: string): Recording => ({
  ...recording,
  steps: recording.steps.map(step =>
    step.type === 'navigate' ? { ...step, url: relativeAddress(to, addressFrom(from, step.url)) } : step,
  ),
});
