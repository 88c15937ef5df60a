/** What each step of a recording must contain, and the types of its fields. */
import {
  anything,
  array,
  boolean,
  Mismatch,
  number,
  object,
  oneOf,
  optional,
  type Reader,
  string,
  such,
} from '../../core/schema.js';
import type { OwnName, Step } from './recording.js';

const selector: Reader<unknown> = (value, path = '') => {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || value.length === 0) throw new Mismatch(path, 'a selector', value);
  return array(string)(value, path);
};
const selectors = such(array(selector), list => list.length > 0, 'a list of selectors');
const size = such(number, value => value >= 1 && value <= 100_000, 'a size in pixels');

const place = { selectors, offsetX: optional(number), offsetY: optional(number) };
const held = { modifiers: optional(array(oneOf('Alt', 'Control', 'Meta', 'Shift'))) };
const button = { button: optional(oneOf('primary', 'auxiliary', 'secondary', 'back', 'forward')) };
const common = {
  timeout: optional(number),
  assertedEvents: optional(array(object({ type: string }))),
  target: optional(string),
  frame: optional(array(number)),
};
const click = { ...place, ...held, ...button, duration: optional(number) };
const key = { ...held, key: string, code: optional(string) };
const pressed = { ...held, ...button, ...place, selectors: optional(selectors), clickCount: optional(number) };

/** The fields of each type of step, besides those that all steps may have. */
export const steps: Readonly<Record<Step['type'], Readonly<Record<string, Reader<unknown>>>>> = {
  setViewport: {
    width: size,
    height: size,
    deviceScaleFactor: optional(such(number, value => value >= 0 && value <= 100, 'a factor up to 100')),
    isMobile: optional(boolean),
    hasTouch: optional(boolean),
  },
  emulateNetworkConditions: { download: number, upload: number, latency: number },
  navigate: { url: string },
  click,
  doubleClick: click,
  hover: place,
  change: { ...place, value: string },
  keyDown: key,
  keyUp: key,
  scroll: { x: optional(number), y: optional(number), selectors: optional(selectors) },
  waitForElement: { selectors, operator: optional(oneOf('>=', '==', '<=')), count: optional(number) },
  waitForExpression: { expression: string },
  close: {},
  customStep: { name: string, parameters: object({}) },
};

/** The parameters of our own steps. */
export const ownSteps: Readonly<Record<OwnName, Reader<unknown>>> = {
  'culprit:mouseDown': object(pressed),
  'culprit:mouseUp': object(pressed),
  'culprit:select': object({ ...place, values: array(string) }),
  'culprit:chooseFiles': object({
    ...place,
    files: array(object({ name: string, mimeType: optional(string), base64: string })),
  }),
};

/** Checks the fields of a step whose type is known. */
export function checkFields(step: unknown, type: Step['type']): void {
  object({ ...common, ...steps[type] })(step);
}

export const recordingFields = object({
  title: optional(anything),
  timeout: optional(number),
  selectorAttribute: optional(string),
});
