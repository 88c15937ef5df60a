/** Runs an algorithm on a model and prints its steps, for `culprit explain`. */
import { cannotCombine, flagOf } from '../../core/cannot-combine.js';
import {
  all,
  type Configuration,
  deltasOf,
  minus,
  type Outcome,
  type Row,
  signs,
  transcribe,
  UserError,
} from '../../core/index.js';
import { differentTests, setText, transcriptMarkdown, transcriptText } from '../../report/transcript.js';
import type { Causes, Isolation } from '../../strategies/index.js';
import { algorithms, type Choices } from '../../strategies/registry.js';
import { type Example, examples } from './examples.js';
import { type Model, numbered, testOf } from './model.js';

export interface ExplainOptions {
  readonly example?: string;
  readonly deltas?: number;
  readonly from?: number;
  readonly fails?: string;
  readonly or?: readonly string[];
  readonly limit?: number;
  readonly needs?: readonly string[];
  readonly together?: readonly string[];
  readonly required?: string;
  readonly partly?: string;
  readonly suspects?: string;
  readonly choose?: string;
  readonly round?: string;
  readonly restart?: boolean;
  readonly largerFirst?: boolean;
  readonly complementsOfTwo?: boolean;
  readonly half?: boolean;
  readonly fixpoint?: boolean;
  readonly lanes?: number;
  readonly markdown?: boolean;
  readonly json?: boolean;
}

/** `culprit explain`: what to print for an algorithm on an example or on a model that the user describes. */
export function explain(name: string | undefined, options: ExplainOptions): string {
  const example = options.example === undefined ? described(name, options) : exampleNamed(options.example, name);
  refuseUnused(example.algorithm, options);
  const algorithm = algorithms[example.algorithm]!;
  const whole = all(example.model.labels.length);
  const test = testOf(example.model);
  const ends = checkedEnds(example, whole, test);
  const { rows, result } = transcribe(algorithm.make(example.choices ?? {}), whole, test);
  const shown = example.ends === 'both' ? [...ends, ...rows].map((row, i) => ({ ...row, step: i + 1 })) : rows;
  const table = example.ends === 'full' ? [{ ...ends[1]!, step: 0 }, ...shown] : shown;
  const labels = example.model.labels;
  const tests = differentTests(rows, whole);
  if (options.json) return json(example, table, result, tests);
  const known = rows.filter(row => row.known).length;
  const summary = [
    ...resultText(result, whole, labels),
    `${shown.length} steps, ${known} of them known; ${tests} different tests, the empty and the full configuration included`,
  ];
  if (options.markdown)
    return [
      `**${example.title}**`,
      '',
      transcriptMarkdown(table, labels),
      '',
      ...summary.map(line => `- ${line}`),
    ].join('\n');
  const legend = `${signs.pass} pass  ${signs.fail} fail  ${signs.unresolved} unresolved  * known from an earlier step`;
  return [
    example.title,
    `${example.algorithm}: ${algorithm.summary} (${algorithm.source})`,
    '',
    transcriptText(table, labels),
    '',
    ...summary,
    legend,
  ].join('\n');
}

export const explainable = (): string => Object.keys(algorithms).join(', ');

/** The axioms: all deltas fail, none pass. Otherwise there is nothing to explain. */
function checkedEnds({ model }: Example, whole: Configuration, test: (c: Configuration) => Outcome): readonly Row[] {
  const [none, every] = [test([]), test(whole)];
  if (none === 'fail')
    throw new UserError(
      'The empty configuration fails already, so no delta matters.',
      'Say which deltas the failure needs with --fails, for example --fails 2,5.',
      1,
    );
  if (every !== 'fail')
    throw new UserError(
      `All ${model.labels.length} deltas together are ${every === 'pass' ? 'passing' : 'unresolved'}, so there is no failure to explain.`,
      'Check --fails, --needs, --together and --required against each other.',
      1,
    );
  const row = { known: false } as const;
  return [
    { ...row, step: 1, configuration: [], outcome: none, part: 'c✓' },
    { ...row, step: 2, configuration: whole, outcome: every, part: 'c✗' },
  ];
}

function exampleNamed(name: string, algorithm: string | undefined): Example {
  const example = examples[name];
  if (!example)
    throw new UserError(`There is no example called ${name}.`, `There are: ${Object.keys(examples).join(', ')}.`);
  if (algorithm !== undefined && algorithm !== example.algorithm) {
    known(algorithm);
    return { ...example, title: `${example.title} (with ${algorithm})`, algorithm };
  }
  return example;
}

const choiceOptions = [
  ...(['suspects', 'choose', 'round', 'restart', 'largerFirst'] as const),
  ...(['complementsOfTwo', 'half', 'fixpoint', 'lanes', 'limit'] as const),
];
const modelOptions = ['deltas', 'from', 'fails', 'or', 'needs', 'together', 'required', 'partly'] as const;

/** An option that would change nothing is rejected. */
function refuseUnused(name: string, options: ExplainOptions): void {
  const given = (names: readonly (keyof ExplainOptions)[]) => names.find(each => options[each] !== undefined);
  const beside = options.example === undefined ? undefined : given([...modelOptions, ...choiceOptions]);
  if (beside) throw cannotCombine('--example', flagOf(beside), 'An example has its own settings.');
  const unused = given(choiceOptions.filter(each => !algorithms[name]!.choices.includes(each)));
  if (unused) {
    const used = choiceOptions.filter(each => algorithms[name]!.choices.includes(each)).map(flagOf);
    throw new UserError(
      `${name} does not use ${flagOf(unused)}.`,
      used.length > 0 ? `It uses: ${used.join(', ')}.` : `${name} has no options of its own.`,
    );
  }
}

function known(name: string): void {
  if (!algorithms[name]) throw new UserError(`There is no algorithm called ${name}.`, `There are: ${explainable()}.`);
}

function described(name: string | undefined, options: ExplainOptions): Example {
  if (name === undefined)
    throw new UserError(
      'Which algorithm?',
      `Say one of: ${explainable()}; or --example <name>: ${Object.keys(examples).join(', ')}.`,
    );
  known(name);
  const count = options.deltas ?? 8;
  if (!Number.isInteger(count) || count < 1 || count > 500)
    throw new UserError(`--deltas ${options.deltas} is not a whole number from 1 to 500.`, 'For example: --deltas 8.');
  const labels = numbered(options.from ?? 1, count);
  const fails = options.fails === undefined ? [labels.at(-1)!] : list(options.fails);
  const model: Model = {
    labels,
    fails,
    ...(options.or ? { or: options.or.map(list) } : {}),
    ...(options.partly === 'unresolved' ? { partly: 'unresolved' as const } : {}),
    needs: (options.needs ?? []).map(need => {
      const [a, b, ...rest] = need.split(':');
      if (!a || !b || rest.length > 0)
        throw new UserError(
          `--needs ${need} is not of the form a:b.`,
          'For example: --needs 4:3, if delta 4 needs delta 3.',
        );
      return [a, b] as const;
    }),
    together: (options.together ?? []).map(list),
    required: options.required === undefined ? [] : list(options.required),
  };
  testOf(model);
  const choices: Choices = {
    ...(options.choose === 'smallest' ? { choose: 'smallest' as const } : {}),
    ...(options.round === 'complete' ? { round: 'complete' as const } : {}),
    ...(options.restart ? { restart: true } : {}),
    ...(options.largerFirst ? { largerFirst: true } : {}),
    ...(options.complementsOfTwo ? { complementsOfTwo: true } : {}),
    ...(options.half ? { half: true } : {}),
    ...(options.fixpoint ? { fixpoint: true } : {}),
    ...(options.lanes ? { lanes: options.lanes } : {}),
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.suspects
      ? {
          suspects: list(options.suspects)
            .map(label => labels.indexOf(label))
            .filter(delta => delta >= 0),
        }
      : {}),
  };
  const needed = [fails, ...(model.or ?? [])].map(cause => `{${cause.join(', ')}}`).join(' or ');
  return { title: `${count} deltas; the failure needs ${needed}`, algorithm: name, model, choices };
}

const list = (text: string): readonly string[] =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(Boolean);

type Result = Configuration | Isolation | Causes;
const isIsolation = (result: Result): result is Isolation => 'difference' in result;
const isCauses = (result: Result): result is Causes => 'causes' in result;

function resultText(result: Result, whole: Configuration, labels: readonly string[]): readonly string[] {
  const text = (configuration: Configuration) => setText(configuration, labels);
  if (isIsolation(result))
    return [`result (${text(result.passing)}, ${text(result.failing)}), difference ${text(result.difference)}`];
  if (!isCauses(result)) return [`result ${text(result)}`];
  const { causes, passing, unknown, complete } = result;
  const without = (sets: readonly Configuration[]) => sets.map(each => text(minus(whole, each))).join(' or ');
  return [
    `causes ${causes.map(text).join(' ')} (${complete ? 'all of them' : 'there may be more'})`,
    `to avoid it, leave out ${without(passing)}`,
    ...(unknown.length > 0 ? [`unknown if you leave out ${without(unknown)}`] : []),
  ];
}

function json(example: Example, rows: readonly Row[], result: Result, tests: number): string {
  const { labels } = example.model;
  const named = (configuration: Configuration) => [...deltasOf(configuration)].map(delta => labels[delta]!);
  const without = (configuration: Configuration) => named(minus(all(labels.length), configuration));
  return JSON.stringify({
    algorithm: example.algorithm,
    steps: rows.map(({ configuration, ...row }) => ({ ...row, kept: named(configuration) })),
    result: isIsolation(result)
      ? { passing: named(result.passing), failing: named(result.failing), difference: named(result.difference) }
      : isCauses(result)
        ? {
            causes: result.causes.map(named),
            avoid: result.passing.map(without),
            unknown: result.unknown.map(without),
            complete: result.complete,
          }
        : named(result),
    tests,
  });
}
