/** The Playwright calls that can be read as steps. */
import { basename, resolve } from 'node:path';
import { readNamed } from '../read-named.js';
import { isModifier } from './keys.js';
import type { Modifier, Selectors, Step } from './recording.js';

/** Waits that a replay makes anyway. */
export const ignored = new Set([
  'waitForTimeout',
  'waitForLoadState',
  'waitForURL',
  'screenshot',
  'bringToFront',
  'title',
  'waitForNavigation',
]);

interface LocatorCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A chain of locators, each inside what the one before it has found. Without an index the first one that is visible is meant. */
export function selectorsOf(calls: readonly LocatorCall[]): Selectors | undefined {
  const chain: string[] = [];
  const last = calls.findLastIndex(({ name, args: [first] }) => name !== 'first' && (name !== 'nth' || first !== 0));
  for (const call of calls.slice(0, last + 1)) {
    const part = partOf(call);
    if (part === undefined) return undefined;
    const before = chain.at(-1);
    if (isCss(part) && before !== undefined && isCss(before)) chain.splice(-1, 1, `${before} ${part}`);
    else chain.push(part);
  }
  return chain[0] === undefined || narrowing.test(chain[0]) ? undefined : [chain];
}

/** These choose among what was found, and find nothing themselves. The DevTools Recorder has no words for them. */
const narrowing = /^culprit:(nth|has-text)\//;
const isCss = (part: string): boolean => !/^(aria|text|xpath|culprit:[\w-]+)\//.test(part);

function partOf({ name, args }: LocatorCall): string | undefined {
  const [first, options] = args as [unknown, { name?: unknown }?];
  switch (name) {
    case 'first':
      return 'culprit:nth/0';
    case 'last':
      return 'culprit:nth/-1';
    case 'nth':
      return Number.isInteger(first) ? `culprit:nth/${first}` : undefined;
    case 'filter': {
      const entries = typeof first === 'object' && first !== null ? Object.entries(first) : [];
      const [[key, text] = []] = entries;
      return entries.length === 1 && key === 'hasText' && typeof text === 'string'
        ? `culprit:has-text/${text}`
        : undefined;
    }
    default:
      if (typeof first !== 'string' || (options?.name !== undefined && typeof options.name !== 'string'))
        return undefined;
      return locatorPart(name, first, options);
  }
}

function locatorPart(name: string, first: string, options: { name?: unknown } | undefined): string | undefined {
  const attribute = (key: string) => `[${key}=${JSON.stringify(first)}]`;
  switch (name) {
    case 'locator':
      return cssOf(first)[0];
    case 'getByRole':
      return `aria/${options?.name ?? ''}[role="${first}"]`;
    case 'getByText':
      return `text/${first}`;
    case 'getByLabel':
      return `aria/${first}`;
    case 'getByTestId':
      return attribute('data-testid');
    case 'getByPlaceholder':
      return attribute('placeholder');
    case 'getByTitle':
      return attribute('title');
    case 'getByAltText':
      return attribute('alt');
    default:
      return undefined;
  }
}

export function cssOf(selector: string): [string] {
  if (/^(xpath=|\/\/)/.test(selector)) return [`xpath/${selector.replace(/^xpath=/, '')}`];
  if (selector.startsWith('text=')) return [`text/${selector.slice(5).replace(/^"(.*)"$/, '$1')}`];
  return [selector.replace(/^css=/, '')];
}

/** `click('#save', { button: 'right' })`, without the element where that is the first argument. */
interface ElementCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

export function elementSteps(
  { name, args }: ElementCall,
  selectors: Selectors,
  before: Step | undefined,
  folder: string,
): readonly Step[] | undefined {
  const [first] = args;
  const options = (args.find(arg => typeof arg === 'object' && arg !== null && !Array.isArray(arg)) ?? {}) as {
    button?: string;
    modifiers?: Modifier[];
    position?: { x: number; y: number };
  };
  const carried = {
    ...(options.button &&
      options.button !== 'left' && {
        button: options.button === 'right' ? ('secondary' as const) : ('auxiliary' as const),
      }),
    ...(options.modifiers && { modifiers: options.modifiers }),
    ...(options.position && { offsetX: options.position.x, offsetY: options.position.y }),
  };
  // Playwright gives the element the focus before it types; a user would click on it.
  const focused = before && 'selectors' in before && JSON.stringify(before.selectors) === JSON.stringify(selectors);
  const focus: Step[] = focused ? [] : [{ type: 'click', selectors }];
  switch (name) {
    case 'click':
    case 'check':
    case 'uncheck':
    case 'tap':
      return [{ type: 'click', selectors, ...carried }];
    case 'dblclick':
      return [{ type: 'doubleClick', selectors, ...carried }];
    case 'hover':
      return [
        {
          type: 'hover',
          selectors,
          ...(options.position && { offsetX: options.position.x, offsetY: options.position.y }),
        },
      ];
    case 'fill':
    case 'clear':
      return typeof first === 'string' || name === 'clear'
        ? [{ type: 'change', selectors, value: String(first ?? '') }]
        : undefined;
    case 'press':
      return typeof first === 'string' ? [...focus, ...keySteps(first)] : undefined;
    case 'type':
    case 'pressSequentially':
      return typeof first === 'string' ? [...focus, ...[...first].flatMap(keySteps)] : undefined;
    case 'selectOption': {
      const values = [first].flat().filter((value): value is string => typeof value === 'string');
      if (values.length === 1) return [{ type: 'change', selectors, value: values[0]! }];
      return values.length > 1
        ? [{ type: 'customStep', name: 'culprit:select', parameters: { selectors, values } }]
        : undefined;
    }
    case 'setInputFiles': {
      const paths = [first].flat().filter((path): path is string => typeof path === 'string');
      const files = paths.map(path => ({
        name: basename(path),
        base64: readNamed(resolve(folder, path)).toString('base64'),
      }));
      return paths.length > 0
        ? [{ type: 'customStep', name: 'culprit:chooseFiles', parameters: { selectors, files } }]
        : undefined;
    }
    case 'waitFor':
    case 'waitForSelector':
      return [{ type: 'waitForElement', selectors }];
    default:
      return undefined;
  }
}

/** `Alt+p` as four actions; the P carries the Alt, so that it can stay when the others are removed. */
function keySteps(keys: string): Step[] {
  const parts = keys === '+' ? ['+'] : keys.split(/\+(?!$)/);
  const modifiers = parts
    .slice(0, -1)
    .map(part => (part === 'ControlOrMeta' ? 'Control' : part))
    .filter(isModifier);
  const key = parts.at(-1)!;
  const down = (name: string): Step => ({ type: 'keyDown', key: name, ...(!isModifier(name) && { modifiers }) });
  const up = (name: string): Step => ({ type: 'keyUp', key: name, ...(!isModifier(name) && { modifiers }) });
  return [...modifiers.map(down), down(key), up(key), ...modifiers.toReversed().map(up)];
}

export function keyboardSteps(name: string, [first]: readonly unknown[]): readonly Step[] | undefined {
  if (typeof first !== 'string') return undefined;
  switch (name) {
    case 'down':
      return [{ type: 'keyDown', key: first }];
    case 'up':
      return [{ type: 'keyUp', key: first }];
    case 'press':
      return keySteps(first);
    case 'type':
      return [...first].flatMap(keySteps);
    default:
      return undefined;
  }
}

/** Positions without an element are measured from the page's corner. */
export function mouseSteps(name: string, args: readonly unknown[]): readonly Step[] | undefined {
  const place = { selectors: [['html']], offsetX: Number(args[0]), offsetY: Number(args[1]) };
  switch (name) {
    case 'move':
      return [{ type: 'hover', ...place }];
    case 'click':
      return [{ type: 'click', ...place }];
    case 'dblclick':
      return [{ type: 'doubleClick', ...place }];
    case 'down':
    case 'up':
      return [{ type: 'customStep', name: name === 'down' ? 'culprit:mouseDown' : 'culprit:mouseUp', parameters: {} }];
    default:
      return undefined;
  }
}
