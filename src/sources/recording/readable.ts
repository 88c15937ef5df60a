/** Forms of a recording that read like what a person would write: whole clicks, whole key presses, filled fields. */
import type { OwnStep, Recording, Step } from './recording.js';

/**
 * A reduced recording is minimal, so it may contain a press without its release. A person writes `click`, `press` and
 * `fill`. These forms do more than the recording, so each must be tested before it is used. The most readable one comes
 * first.
 */
export function readableForms(recording: Recording): readonly Recording[] {
  const whole = completed(recording.steps);
  const forms = [filled(whole, 'without click'), filled(whole, 'after click'), whole];
  const seen = new Set([JSON.stringify(recording.steps)]);
  return forms.flatMap(steps => {
    const text = JSON.stringify(steps);
    if (seen.has(text)) return [];
    seen.add(text);
    return [{ ...recording, steps }];
  });
}

type Press = Extract<OwnStep, { name: 'culprit:mouseDown' }>;
type Release = Extract<OwnStep, { name: 'culprit:mouseUp' }>;
type Key = Extract<Step, { type: 'keyDown' | 'keyUp' }>;

/** Releases every key and button that is never released, right after its press. Held modifiers stay held. */
function completed(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step, i): readonly Step[] => {
    const later = steps.slice(i + 1);
    if (isPress(step) && !later.some(isRelease)) {
      const { selectors: _, offsetX: __, offsetY: ___, ...carried } = step.parameters;
      return [step, { ...step, name: 'culprit:mouseUp', parameters: carried } as Release];
    }
    const isHeld = step.type === 'keyDown' && !/^(Alt|Control|Meta|Shift)$/.test(step.key);
    if (isHeld && !later.some(each => each.type === 'keyUp' && each.key === step.key))
      return [step, { ...step, type: 'keyUp' }];
    return [step];
  });
}

/** Characters that are typed right after a click on a field become its value. */
function filled(steps: readonly Step[], form: 'without click' | 'after click'): readonly Step[] {
  const result: Step[] = [];
  for (let i = 0; i < steps.length; ) {
    const [press, release] = [steps[i]!, steps[i + 1]];
    const typed = isPress(press) && press.parameters.selectors && isRelease(release) ? typedAt(steps, i + 2) : '';
    if (typed === '' || !isPress(press)) {
      result.push(press);
      i++;
      continue;
    }
    const { type: _, name: __, parameters, assertedEvents: ___, ...common } = press;
    if (form === 'after click') result.push(press, release!);
    result.push({ ...common, type: 'change', selectors: parameters.selectors!, value: typed });
    i += 2 + 2 * [...typed].length;
  }
  return result;
}

/** The characters of the key presses from here on. */
function typedAt(steps: readonly Step[], from: number): string {
  let text = '';
  for (let i = from; ; i += 2) {
    const [down, up] = [steps[i], steps[i + 1]];
    const isTyped = isKey(down, 'keyDown') && isKey(up, 'keyUp') && down.key === up.key && [...down.key].length === 1;
    if (!isTyped || down.modifiers?.some(each => each !== 'Shift')) return text;
    text += down.key;
  }
}

const isKey = (step: Step | undefined, type: Key['type']): step is Key => step?.type === type;
const isPress = (step: Step | undefined): step is Press =>
  step?.type === 'customStep' && step.name === 'culprit:mouseDown';
const isRelease = (step: Step | undefined): step is Release =>
  step?.type === 'customStep' && step.name === 'culprit:mouseUp';
