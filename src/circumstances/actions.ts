/** User actions as deltas: a recording without some of its actions. */
import { type Circumstance, has } from '../core/index.js';
import { splitClicks } from '../sources/recording/presses.js';
import type { Modifier, Recording, Selectors, Step } from '../sources/recording/recording.js';

/**
 * Each action of a recording is a delta; presses and releases, of keys and of mouse buttons, are separate actions. Everything
 * up to the first navigation opens the page: it is the base and stays. The order is never changed.
 */
export function actionsOf(recording: Recording): Circumstance<Recording> {
  const { steps } = splitClicks(recording);
  const base = steps.findIndex(step => step.type === 'navigate') + 1;
  // A viewport that was set after the navigation, as in some exports, still belongs to the base.
  const fixed = new Set(steps.keys());
  const actions: number[] = [];
  for (const [index, step] of steps.entries())
    if (index >= base && step.type !== 'setViewport' && step.type !== 'emulateNetworkConditions') {
      fixed.delete(index);
      actions.push(index);
    }
  const deltaOf = new Map(actions.map((index, delta) => [index, delta]));
  return {
    name: 'action',
    count: actions.length,
    build: configuration => ({
      ...recording,
      steps: steps.filter((_, index) => fixed.has(index) || has(configuration, deltaOf.get(index)!)),
    }),
    describe: delta => describeStep(steps[actions[delta]!]!),
  };
}

/** A step in words. */
export function describeStep(step: Step): string {
  switch (step.type) {
    case 'setViewport':
      return `make the window ${step.width} × ${step.height}`;
    case 'emulateNetworkConditions':
      return `set the network to ${step.download} bytes/s down, ${step.upload} up, ${step.latency} ms`;
    case 'navigate':
      return `open ${step.url}`;
    case 'click':
      return `click ${buttonOf(step.button)}on ${nameOf(step.selectors)}${held(step.modifiers)}`;
    case 'doubleClick':
      return `double-click ${buttonOf(step.button)}on ${nameOf(step.selectors)}${held(step.modifiers)}`;
    case 'hover':
      return `move the mouse to ${nameOf(step.selectors)}`;
    case 'change':
      return `set ${nameOf(step.selectors)} to ${JSON.stringify(step.value)}`;
    case 'keyDown':
      return `press the ${keyName(step.key)} key${held(step.modifiers)}`;
    case 'keyUp':
      return `release the ${keyName(step.key)} key${held(step.modifiers)}`;
    case 'scroll':
      return `scroll ${step.selectors ? nameOf(step.selectors) : 'the page'} to ${step.x ?? 0}, ${step.y ?? 0}`;
    case 'waitForElement':
      return `wait for ${nameOf(step.selectors)}`;
    case 'waitForExpression':
      return `wait until ${step.expression}`;
    case 'close':
      return 'close the page';
    case 'customStep':
      return describeOwn(step);
  }
}

function describeOwn(step: Extract<Step, { type: 'customStep' }>): string {
  switch (step.name) {
    case 'culprit:mouseDown':
    case 'culprit:mouseUp': {
      const { selectors, button, modifiers } = step.parameters;
      const what = step.name === 'culprit:mouseDown' ? 'press' : 'release';
      return `${what} mouse button ${numberOf(button)}${selectors ? ` on ${nameOf(selectors)}` : ''}${held(modifiers)}`;
    }
    case 'culprit:select':
      return `select ${step.parameters.values.join(', ')} in ${nameOf(step.parameters.selectors)}`;
    case 'culprit:chooseFiles':
      return `choose ${step.parameters.files.map(file => file.name).join(', ')} for ${nameOf(step.parameters.selectors)}`;
  }
}

/** The selector that is clearest to a person: the accessible name if there is one. */
export function nameOf(selectors: Selectors): string {
  const chains = selectors.map(chain => (typeof chain === 'string' ? [chain] : chain));
  const spoken =
    chains.find(chain => chain.at(-1)!.startsWith('aria/')) ?? chains.find(chain => chain.at(-1)!.startsWith('text/'));
  const best = spoken ?? chains[0]!;
  if (best.some(part => part.startsWith('culprit:')) || (best.length > 1 && best.some(isSpoken)))
    return chainText(best);
  return spoken ? wordsOf(best.at(-1)!) : best.join(' ').replace(/^pierce\//, '');
}

const isSpoken = (part: string): boolean => /^(aria|text)\//.test(part);

/** `“Remove” in listitem with “beta”`: the innermost first, each with what chooses among several. */
function chainText(chain: readonly string[]): string {
  const named: string[] = [];
  for (const part of chain) {
    const [, kind, rest = ''] = /^culprit:(nth|has-text)\/([\s\S]*)$/.exec(part) ?? [];
    if (kind === undefined) named.unshift(wordsOf(part));
    else
      named[0] +=
        kind === 'has-text' ? ` with “${rest}”` : rest === '-1' ? ' (the last)' : ` (number ${Number(rest) + 1})`;
  }
  return named.join(' in ');
}

/** One part of a chain; of an element that has only a role, the role. */
function wordsOf(part: string): string {
  const [, name = '', role] = /^(?:aria|text)\/([\s\S]*?)(?:\[role="?([^"\]]*)"?\])?$/.exec(part) ?? [];
  if (!isSpoken(part)) return part.replace(/^pierce\//, '');
  return name === '' && role !== undefined ? role : `“${name}”`;
}

const numberOf = (button: string | undefined): number =>
  ['primary', 'auxiliary', 'secondary', 'back', 'forward'].indexOf(button ?? 'primary') + 1;
const buttonOf = (button: string | undefined): string =>
  button === undefined || button === 'primary' ? '' : `with mouse button ${numberOf(button)} `;
const keyName = (key: string): string => (key === ' ' ? 'space' : key.length === 1 ? key.toUpperCase() : key);
const held = (modifiers: readonly Modifier[] | undefined): string =>
  modifiers?.length ? ` while ${modifiers.join(' and ')} ${modifiers.length > 1 ? 'are' : 'is'} held` : '';
