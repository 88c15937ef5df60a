/** Splits clicks into presses and releases, and joins them again. */
import type { OwnStep, Recording, Step } from './recording.js';

/**
 * A click is a press and a release, and they are separate actions: "3 of 95" in Hildebrandt and Zeller 2000, §6, are a key, a
 * press and a release. `separated` splits clicks, and `folded` joins what stayed side by side, so that the result is a
 * recording that DevTools can replay. folded(separated(r)) means the same as r.
 */
export const splitClicks = (recording: Recording): Recording => ({
  ...recording,
  steps: recording.steps.flatMap(separateStep),
});

export function joinPresses(recording: Recording): Recording {
  const steps: Step[] = [];
  for (const step of recording.steps) {
    const clicked = clickOf(steps.at(-1), step);
    if (clicked) steps.pop();
    const doubled = clicked && doubleClickOf(steps.at(-1), clicked);
    if (doubled) steps.pop();
    steps.push(doubled ?? clicked ?? step);
  }
  // What is left of a double click without its first click is a plain click.
  return { ...recording, steps: steps.map(({ ...step }) => (countOf(step) === undefined ? step : uncounted(step))) };
}

type Click = Extract<Step, { type: 'click' | 'doubleClick' }>;
type Press = Extract<OwnStep, { name: 'culprit:mouseDown' }>;
type Release = Extract<OwnStep, { name: 'culprit:mouseUp' }>;

function separateStep(step: Step): readonly Step[] {
  if (step.type !== 'click' && step.type !== 'doubleClick') return [step];
  const { type, selectors, offsetX, offsetY, button, modifiers, assertedEvents, duration: _, ...common } = step;
  const carried = { ...(button && { button }), ...(modifiers && { modifiers }) };
  const place = { selectors, ...(offsetX !== undefined && { offsetX }), ...(offsetY !== undefined && { offsetY }) };
  const pair = (clickCount: number, last: boolean): Step[] => [
    {
      ...common,
      type: 'customStep',
      name: 'culprit:mouseDown',
      parameters: { ...place, ...carried, ...(clickCount > 1 && { clickCount }) },
    },
    {
      ...common,
      ...(last && assertedEvents && { assertedEvents }),
      type: 'customStep',
      name: 'culprit:mouseUp',
      // No position: a button is released wherever the pointer is.
      parameters: { ...carried, ...(clickCount > 1 && { clickCount }) },
    },
  ];
  return type === 'click' ? pair(1, true) : [...pair(1, false), ...pair(2, true)];
}

function clickOf(press: Step | undefined, release: Step): Click | undefined {
  if (!isPress(press) || !isRelease(release) || release.parameters.selectors) return undefined;
  const { clickCount, selectors, ...place } = press.parameters;
  if (!selectors) return undefined;
  const { clickCount: released, ...carried } = release.parameters;
  const same =
    (clickCount ?? 1) === (released ?? 1) &&
    (place.button ?? 'primary') === (carried.button ?? 'primary') &&
    String(place.modifiers ?? '') === String(carried.modifiers ?? '');
  if (!same) return undefined;
  const { type: _type, name: _name, parameters: _parameters, ...common } = { ...press, ...release };
  const click: Click = { type: 'click', ...common, selectors, ...place };
  return clickCount === 2 ? ({ ...click, clickCount } as Click) : click;
}

function doubleClickOf(first: Step | undefined, second: Click): Click | undefined {
  if (first?.type !== 'click' || countOf(second) !== 2) return undefined;
  const place = ({ selectors, offsetX, offsetY, button, modifiers }: Click) =>
    JSON.stringify([selectors, offsetX, offsetY, button, modifiers]);
  return place(first) === place(second) ? ({ ...uncounted(second), type: 'doubleClick' } as Click) : undefined;
}

const countOf = (step: Step): number | undefined =>
  step.type === 'click' ? (step as { clickCount?: number }).clickCount : undefined;
const uncounted = (step: Step): Step => {
  const { clickCount: _, ...rest } = step as Step & { clickCount?: number };
  return rest as Step;
};
const isPress = (step: Step | undefined): step is Press =>
  step?.type === 'customStep' && step.name === 'culprit:mouseDown';
const isRelease = (step: Step): step is Release => step.type === 'customStep' && step.name === 'culprit:mouseUp';
