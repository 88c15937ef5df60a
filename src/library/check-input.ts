/** Refuses what library users pass by mistake, with a sentence. Without types, any value can arrive here. */
import { type Circumstance, type Outcome, UserError } from '../core/index.js';

/** A circumstance of the user's own, or an explanation of what else the value is. */
export function asCircumstance(input: unknown): Circumstance<unknown> {
  const given = input as Partial<Circumstance<unknown>> | null | undefined;
  if (typeof given?.build === 'function' && typeof given.count === 'number') return given as Circumstance<unknown>;
  throw notAnInput(input);
}

export const notAnInput = (input: unknown): UserError =>
  new UserError(
    `The input is ${named(input)}, and not a text, a list or a circumstance.`,
    typeof input === 'object' && input !== null
      ? "Pass a JSON value as text, JSON.stringify(value, null, 1), with { language: 'json' }, and parse it in the test. Or list its parts."
      : 'Pass the input that fails.',
  );

export function checkTest(test: unknown): void {
  if (typeof test !== 'function')
    throw new UserError(
      `The test is ${named(test)}, and not a function.`,
      'It receives a candidate, and returns true (or throws) if that fails.',
    );
}

/** What a test said, as an outcome. A value that only looks like an answer would silently count as `pass`. */
export function outcomeOf(said: unknown): Outcome {
  switch (said) {
    case true:
    case 'fail':
      return 'fail';
    case 'unresolved':
      return 'unresolved';
    case false:
    case undefined:
    case null:
    case 'pass':
      return 'pass';
    default:
      throw new UserError(
        `The test returned ${typeof said === 'string' ? JSON.stringify(said.slice(0, 40)) : named(said)}, which is no outcome.`,
        "Return true or 'fail', false or 'pass', or 'unresolved'; nothing if all is well; or throw the failure.",
      );
  }
}

function named(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const { name } = (value as { constructor?: { name?: string } }).constructor ?? {};
  return !name || name === 'Object' ? 'an object' : `a ${name}`;
}
