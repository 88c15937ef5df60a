import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boom, culprit, folderWith } from './culprit.js';
import { argsFor, everyCommand, prepareFor } from './every-command.js';

type Schema = Readonly<Record<string, unknown>>;
const root: Schema = JSON.parse(readFileSync(new URL('../../schema/events.schema.json', import.meta.url), 'utf8'));
const notes = new Set(['$schema', '$defs', 'title', 'description']);

/** What is wrong with a value, by the part of JSON Schema that the file uses; a keyword outside of that part is an error. */
function faults(value: unknown, schema: Schema, at = ''): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, wanted]) => {
    const say = (isRight: boolean) => (isRight ? [] : [`${at}: ${keyword} ${JSON.stringify(wanted)}`]);
    const object = value as Readonly<Record<string, unknown>>;
    if (notes.has(keyword)) return [];
    switch (keyword) {
      case '$ref':
        return faults(value, (root.$defs as Record<string, Schema>)[String(wanted).split('/').at(-1)!]!, at);
      case 'oneOf': {
        const tried = (wanted as Schema[]).map(each => faults(value, each, at));
        if (tried.filter(each => each.length === 0).length === 1) return [];
        return tried.toSorted((a, b) => a.length - b.length)[0]!.concat(`${at}: not exactly one of them`);
      }
      case 'const':
        return say(value === wanted);
      case 'enum':
        return say((wanted as unknown[]).includes(value));
      case 'minimum':
        return say((value as number) >= (wanted as number));
      case 'type':
        return say(typeOf(value).includes(wanted as string));
      case 'items':
        return (value as unknown[]).flatMap((each, i) => faults(each, wanted as Schema, `${at}[${i}]`));
      case 'required':
        return (wanted as string[]).filter(name => !(name in object)).map(name => `${at}: ${name} is missing`);
      case 'properties':
        return Object.entries(wanted as Record<string, Schema>).flatMap(([name, each]) =>
          name in object ? faults(object[name], each, `${at}.${name}`) : [],
        );
      case 'additionalProperties': {
        const known = Object.keys(schema.properties as object);
        return Object.keys(object).flatMap(name => (known.includes(name) ? [] : [`${at}: ${name} is not described`]));
      }
      default:
        throw new Error(`The test does not know the keyword ${keyword}.`);
    }
  });
}

const typeOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return ['array'];
  if (Number.isInteger(value)) return ['integer', 'number'];
  return [value === null ? 'null' : typeof value];
};

const streamOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

const files = { 'in.txt': 'one\nBOOM two\nthree\n', 'good.txt': 'one\n', 't.sh': boom };
const causes = ['isolate', 'changes', 'options', 'env'].map(name => {
  const { args, ...command } = everyCommand.find(each => each.name === name)!;
  return { ...command, name: `${name} --all`, args: [args[0]!, '--all', ...args.slice(1)] };
});
const commands = [...everyCommand.filter(({ name }) => name !== 'actions'), ...causes];

test.each(commands)('$name --events prints lines that the schema describes, and the result last', async command => {
  const cwd = folderWith();
  prepareFor(cwd);
  const env = { LOG: join(cwd, 'log') };
  const { code, stdout, stderr } = await culprit(argsFor(command, cwd, ['--events']), { cwd, env });
  const job = command.args[0];
  expect(code, stderr).toBe(0);
  const stream = streamOf(stdout);
  expect(stream.flatMap(event => faults(event, root))).toEqual([]);
  expect(stream[0]).toMatchObject({ type: 'run', version: 1, job });
  expect(stream.map(event => event.type)).toEqual(expect.arrayContaining(['began', 'ended']));
  const { type, ...last } = stream.at(-1);
  expect(type).toBe('result');
  expect(last.tests).toBe(last.executed + last.cached);
  expect(last).toEqual(JSON.parse(readFileSync(join(cwd, last.run, 'summary.json'), 'utf8')));
});

test('the answers in the stream are the same on 1 and 8 workers', async () => {
  const cwd = folderWith(files);
  const of = async (n: string) => {
    const { stdout } = await culprit(
      ['reduce', 'in.txt', '--events', '-j', n, '--run', `r${n}`, '--', './t.sh', '{}'],
      {
        cwd,
      },
    );
    return streamOf(stdout).filter(({ type }) => ['pass', 'answered', 'reduced'].includes(type));
  };
  expect(await of('8')).toEqual(await of('1'));
});

test.each([
  ['a command that does not fail', ['reduce', 'good.txt', '--events', '--', './t.sh', '{}'], 1],
  ['a missing file', ['reduce', 'none.txt', '--events', '--', './t.sh', '{}'], 2],
  ['an unknown option', ['reduce', 'in.txt', '--events', '--nonsense', '--', './t.sh'], 2],
  ['--json too', ['reduce', 'in.txt', '--events', '--json', '--', './t.sh', '{}'], 2],
] as const)('%s ends the stream with an error that the schema describes', async (_, args, code) => {
  const cwd = folderWith(files);
  const ended = await culprit(args, { cwd });
  expect(ended.code).toBe(code);
  const stream = streamOf(ended.stdout);
  expect(stream.flatMap(event => faults(event, root))).toEqual([]);
  expect(stream.at(-1).type).toBe('error');
  expect(existsSync(join(cwd, '.culprit'))).toBe(false);
});

test('a line that lacks a field, has one too many or another type is not what the schema describes', () => {
  const good = { type: 'reduced', step: 3, size: { deltas: 2 } };
  expect(faults(good, root)).toEqual([]);
  for (const bad of [{ ...good, step: '3' }, { ...good, more: 1 }, { type: 'reduced', step: 3 }, { type: 'other' }])
    expect(faults(bad, root)).not.toEqual([]);
});
