/** Writes a recording as a Playwright test. */
import { addAll } from '../../core/lists.js';
import { joinPresses } from './presses.js';
import type { Modifier, OwnStep, Place, Recording, Selectors, Step } from './recording.js';

export interface ScriptOptions {
  /** The failure that the script checks for. */
  readonly failure?: {
    readonly kind: string;
    readonly text: string;
    readonly expression?: string;
    /** It shows only some time after the last action. */
    readonly late?: boolean;
    /** The command that decides instead of the page, as a person types it. */
    readonly command?: string;
  };
  /** Makes addresses that are relative to the recording absolute. */
  readonly address?: (url: string) => string;
  /** Whether the element at these selectors was seen to be a drop-down. */
  readonly isDropDown?: (selectors: Selectors) => boolean;
}

/** A recording as a Playwright test in plain JavaScript, ready to paste: it fails as long as the bug exists. */
export function playwrightScript(recording: Recording, options: ScriptOptions = {}): string {
  const steps = joinPresses(recording).steps;
  const lines: string[] = [];
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i]!;
    const next = steps[i + 1];
    if (
      step.type === 'keyDown' &&
      next?.type === 'keyUp' &&
      next.key === step.key &&
      String(next.modifiers) === String(step.modifiers)
    ) {
      lines.push(
        `await ${pageOf(step)}.keyboard.press(${quote([...(step.modifiers ?? []), keyName(step.key)].join('+'))});`,
      );
      i++;
    } else addAll(lines, linesOf(step, options));
  }
  const { before, after } = expectation(options.failure);
  // An event reaches the script after the action that caused it has ended.
  const isEvent = before.length > 0;
  if (options.failure?.late || isEvent) lines.push('await page.waitForTimeout(1000); // the failure may take a moment');
  return [
    `import { expect, test } from '@playwright/test';`,
    '',
    `test(${quote(recording.title)}, async ({ page }) => {`,
    ...[...before, ...lines, ...after].map(line => `  ${line}`),
    '});',
    '',
  ].join('\n');
}

function linesOf(step: Step, options: ScriptOptions): readonly string[] {
  const page = pageOf(step);
  switch (step.type) {
    case 'setViewport':
      return [`await page.setViewportSize({ width: ${Math.round(step.width)}, height: ${Math.round(step.height)} });`];
    case 'emulateNetworkConditions':
      return [`// network: ${step.download} bytes/s down, ${step.upload} up, ${step.latency} ms`];
    case 'navigate':
      return [`await ${page}.goto(${quote(options.address?.(step.url) ?? step.url)});`];
    case 'click':
    case 'doubleClick': {
      const { button, modifiers } = step;
      const said = optionsText({
        ...(button && button !== 'primary' && { button: button === 'secondary' ? 'right' : 'middle' }),
        ...(modifiers?.length && { modifiers }),
        ...position(step),
      });
      return [`await ${locator(step, step.selectors)}.${step.type === 'click' ? 'click' : 'dblclick'}(${said});`];
    }
    case 'hover':
      return [`await ${locator(step, step.selectors)}.hover(${optionsText(position(step))});`];
    case 'change': {
      const isChosen = options.isDropDown?.(step.selectors) || isDropDown(step.selectors);
      return [`await ${locator(step, step.selectors)}.${isChosen ? 'selectOption' : 'fill'}(${quote(step.value)});`];
    }
    case 'keyDown':
      return withHeld(page, step.modifiers, `await ${page}.keyboard.down(${quote(keyName(step.key))});`);
    case 'keyUp':
      return withHeld(page, step.modifiers, `await ${page}.keyboard.up(${quote(keyName(step.key))});`);
    case 'scroll': {
      const to = `scrollTo(${step.x ?? 0}, ${step.y ?? 0})`;
      return [
        step.selectors
          ? `await ${locator(step, step.selectors)}.evaluate(element => element.${to});`
          : `await ${page}.evaluate(() => window.${to});`,
      ];
    }
    case 'waitForElement':
      return [`await ${locator(step, step.selectors)}.waitFor();`];
    case 'waitForExpression':
      return [`await ${page}.waitForFunction(${quote(step.expression)});`];
    case 'close':
      return [`await ${page}.close();`];
    case 'customStep':
      return ownLines(step, page);
  }
}

function ownLines(step: OwnStep, page: string): readonly string[] {
  const button = 'button' in step.parameters ? step.parameters.button : undefined;
  const which =
    button && button !== 'primary' ? `{ button: ${quote(button === 'secondary' ? 'right' : 'middle')} }` : '';
  switch (step.name) {
    case 'culprit:mouseDown':
      return [
        ...placed(step, step.parameters),
        ...withHeld(page, step.parameters.modifiers, `await ${page}.mouse.down(${which});`),
      ];
    case 'culprit:mouseUp':
      return [
        ...placed(step, step.parameters),
        ...withHeld(page, step.parameters.modifiers, `await ${page}.mouse.up(${which});`),
      ];
    case 'culprit:select':
      return [
        `await ${locator(step, step.parameters.selectors)}.selectOption([${step.parameters.values.map(quote).join(', ')}]);`,
      ];
    case 'culprit:chooseFiles': {
      const files = step.parameters.files.map(
        file =>
          `{ name: ${quote(file.name)}, mimeType: ${quote(file.mimeType || 'application/octet-stream')}, buffer: Buffer.from(${quote(file.base64)}, 'base64') }`,
      );
      return [`await ${locator(step, step.parameters.selectors)}.setInputFiles([${files.join(', ')}]);`];
    }
  }
}

/** The pointer moves there first, if a position is given. */
const placed = (step: Step, { selectors, ...rest }: Partial<Place>): readonly string[] =>
  selectors ? [`await ${locator(step, selectors)}.hover(${optionsText(position({ ...rest, selectors }))});`] : [];

/** The locator that a person would write: by role and name, by text, else by CSS. */
function locator(step: Step, selectors: Selectors): string {
  const chains = selectors.map(chain => (typeof chain === 'string' ? [chain] : chain));
  const spoken = chains.find(chain => chain.length === 1 && /^aria\/.+\[role="[^"]+"\]$/.test(chain[0]!));
  const frame = (step.frame ?? []).reduce((path, child) => `${path}.childFrames()[${child}]`, '');
  const root = frame ? `${pageOf(step)}.mainFrame()${frame}` : pageOf(step);
  if (spoken) {
    const [, name, role] = /^aria\/(.+)\[role="([^"]+)"\]$/.exec(spoken[0]!)!;
    return `${root}.getByRole(${quote(role!)}, { name: ${quote(name!)}, exact: true })`;
  }
  const best = chains.find(chain => chain.every(part => !/^(aria|text|culprit:[\w-]+)\//.test(part))) ?? chains[0]!;
  return best.reduce((path, part) => `${path}.${find(part)}`, root);
}

function find(part: string): string {
  const [, choice, chosen = ''] = /^culprit:(nth|has-text)\/([\s\S]*)$/.exec(part) ?? [];
  if (choice === 'nth') return chosen === '-1' ? 'last()' : `nth(${chosen})`;
  if (choice === 'has-text') return `filter({ hasText: ${quote(chosen)} })`;
  const [, name = '', role] = /^aria\/([\s\S]*)\[role="([^"]+)"\]$/.exec(part) ?? [];
  if (role !== undefined)
    return `getByRole(${quote(role)}${name === '' ? '' : `, { name: ${quote(name)}, exact: true }`})`;
  const [, kind, rest] = /^(aria|text|xpath|pierce|css)\/([\s\S]*)$/.exec(part) ?? ['', 'css', part];
  if (kind === 'text') return `getByText(${quote(rest!)})`;
  if (kind === 'aria') return `getByLabel(${quote(rest!)})`;
  return `locator(${quote(kind === 'xpath' ? `xpath=${rest}` : rest!)})`;
}

/** A named control is clicked in its middle; for anything else (a canvas, a map) the position matters. */
const position = (place: Place): object => {
  const named = place.selectors.some(chain => /^aria\//.test(typeof chain === 'string' ? chain : chain.at(-1)!));
  return named || place.offsetX === undefined || place.offsetY === undefined
    ? {}
    : { position: { x: place.offsetX, y: place.offsetY } };
};

/** An event with modifiers: they are held only for this event. */
const withHeld = (page: string, modifiers: readonly Modifier[] | undefined, line: string): readonly string[] => [
  ...(modifiers ?? []).map(name => `await ${page}.keyboard.down('${name}');`),
  line,
  ...(modifiers ?? []).map(name => `await ${page}.keyboard.up('${name}');`),
];

function expectation(failure: ScriptOptions['failure']): { before: readonly string[]; after: readonly string[] } {
  const collect = (event: string, entry: string, what: string) => ({
    before: ['const seen = [];', `page.on('${event}', ${entry});`],
    after: [`expect(seen, ${quote(what)}).toEqual([]);`],
  });
  switch (failure?.kind) {
    case 'exception':
      return collect('pageerror', 'error => seen.push(error.message)', 'uncaught exceptions');
    case 'console':
      return collect(
        'console',
        "message => message.type() === 'error' && seen.push(message.text())",
        'errors on the console',
      );
    case 'request': {
      const answered = collect(
        'response',
        'response => response.status() >= 400 && seen.push(response.url())',
        'failed requests',
      );
      const lost = "page.on('requestfailed', request => seen.push(request.url()));";
      return { ...answered, before: [...answered.before, lost] };
    }
    case 'dialog':
      return collect('dialog', 'dialog => { seen.push(dialog.message()); return dialog.accept(); }', 'dialogs');
    case 'crash':
      return collect('crash', "() => seen.push('the page crashed')", 'crashes');
    case 'expression':
      return {
        before: [],
        after: [`expect(await page.evaluate(() => Boolean(${failure.expression ?? failure.text}))).toBe(false);`],
      };
    case 'command':
      return { before: [], after: failure.command ? [`// then: ${failure.command.replace(/\s*\n\s*/g, ' ')}`] : [] };
    default:
      return { before: [], after: [] };
  }
}

const pageOf = (step: Step): string =>
  step.target === undefined || step.target === 'main'
    ? 'page'
    : `page.context().pages().find(each => each.url() === ${quote(step.target)})`;
const keyName = (key: string): string => (key === ' ' ? 'Space' : key);
const optionsText = (options: object): string => (Object.keys(options).length === 0 ? '' : literal(options));
const literal = (value: unknown): string => {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, entry]) => `${key}: ${literal(entry)}`)
    .join(', ')} }`;
};
/** The format does not say what kind of control changed; the selectors reveal a drop-down. */
const isDropDown = (selectors: Selectors): boolean =>
  selectors.flat().some(part => /\[role="(combobox|listbox)"\]$|(^|[\s>])select([.#:[]|$)/.test(part));
const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
