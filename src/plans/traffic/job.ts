/** `culprit traffic`: which recorded exchanges matter, and what in them. */

import { basename, dirname, extname, join } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { UserError } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import { quoteAll } from '../../core/shell.js';
import { sweepAbandoned } from '../../oracle/command/workspace.js';
import { nameCrash } from '../../oracle/http/crash.js';
import { ranOutOfTime } from '../../oracle/http/messages.js';
import { openTraffic } from '../../oracle/http/traffic.js';
import { retryAlone } from '../../oracle/retry-alone.js';
import { openSlotFolders, type SlotFolders } from '../../oracle/slot-folders.js';
import { ownEnvironment, saltOf } from '../../run/kept-environment.js';
import { type Output, outputFor } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { redactor } from '../../sources/environment/secrets.js';
import { curlScript } from '../../sources/har/curl.js';
import { type Har, httpOnly, readHar } from '../../sources/har/har.js';
import { secretsOf, shownExchange } from '../../sources/har/show.js';
import { shownValues } from '../../sources/har/values.js';
import { readNamed } from '../../sources/read-named.js';
import { surroundingsOf } from '../../sources/surroundings.js';
import { listStrategy } from '../../strategies/registry.js';
import { noteSurroundings, textFiles, typedWords } from '../invocation.js';
import type { Context, Job, Opened, Request } from '../job.js';
import { proofsBy } from '../proof.js';
import { simplify } from '../simplify.js';
import { spellOptions } from '../spell.js';
import { firstTraffic } from './first-run.js';
import { bytesOf, identifyExchanges, markLeft, sizeOf } from './identity.js';
import { trafficPasses } from './passes.js';
import { failureOf, modeOf, type TrafficOptions } from './rule.js';

interface Prepared {
  readonly request: Request<TrafficOptions>;
  readonly har: Har;
  /** Of the entries that are left out, because they are not sent over HTTP. */
  readonly schemes: readonly string[];
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly output: Output;
  /** The requests as curl commands, if they are sent. */
  readonly script: Output | undefined;
  readonly isKept: boolean;
}

export async function trafficJob(request: Request<TrafficOptions>, resumed?: RunFolder): Promise<Job<Har>> {
  const { options } = request;
  const [path = ''] = request.inputs;
  modeOf(options);
  failureOf(options);
  if (options.strategy) listStrategy(options.strategy);
  const name = basename(path);
  const kept = resumed?.keptOriginal();
  const bytes = kept ? fileIn(kept, name) : read(path);
  const { har, schemes } = httpOnly(readHar(Buffer.from(bytes).toString('utf8'), path), path);
  const stem = basename(path, extname(path));
  const wanted = { kind: 'file' as const, inputs: [path], run: options.run, force: options.force, resumed };
  const otherwise = join(dirname(path), `${stem}.reduced${extname(path)}`);
  const output = outputFor({ ...wanted, asked: options.output, otherwise });
  const place = (of: string) => `${of.replace(/\.(har|json)$/i, '')}.sh`;
  const script =
    modeOf(options) === 'send'
      ? outputFor({
          ...wanted,
          asked: options.output === undefined ? undefined : place(options.output),
          otherwise: place(otherwise),
        })
      : undefined;
  sweepAbandoned();
  const prepared = { request, har, schemes, name, bytes, output, script, isKept: kept !== undefined };
  return { name: 'traffic', runName: stem, outputs: [output, script], open: context => open(prepared, context) };
}

async function open(prepared: Prepared, context: Context): Promise<Opened<Har>> {
  const { har, schemes, name, bytes, output, script } = prepared;
  const { command, options } = prepared.request;
  const { folder, workers } = context;
  const { files, linked } = surroundingsOf(process.cwd());
  const mode = modeOf(options);
  const side = mode === 'send' ? 'request' : 'response';
  let slots: SlotFolders | undefined;
  const limits = options.processes === undefined ? {} : { processes: options.processes };
  let isClosed = false;
  const opened = () => {
    if (isClosed) throw new Error('The run is over.');
    slots ??= openSlotFolders(workers, { files }, limits);
    return slots;
  };
  const allowed = options.timeout === undefined ? undefined : options.timeout * 1000;
  const traffic = openTraffic({
    mode,
    command: typedWords(command),
    failure: failureOf(options),
    limits: allowed === undefined ? {} : { listen: allowed, answer: allowed, end: allowed },
    named: nameCrash,
    cleaned: redactor(ownEnvironment(), secretsOf(har)),
    enter: () => opened().enter(),
    start: (...given) => opened().start(...given),
    ...(typeof options.send === 'string' ? { base: options.send } : {}),
    ...(options.allowHost ? { allowHosts: options.allowHost } : {}),
    ...(options.missing ? { missing: options.missing } : {}),
  });
  if (!prepared.isKept) folder.keepOriginal(fileOf(name, bytes));
  const written = (each: Har): Artifact => fileOf(name, Buffer.from(`${JSON.stringify(each, null, 1)}\n`));
  const rule = spellOptions(options, ['send', 'serve', 'missing', 'allowHost', 'crash', 'status', 'body', 'stderr']);
  const reproduce = quoteAll(['culprit', 'traffic', output.path, ...rule, '--', ...command]);
  return {
    async firstRun() {
      if (schemes.length > 0)
        context.say(
          `left out ${counted(schemes.length, 'request')} not over HTTP (${[...new Set(schemes)].join(' ')})`,
        );
      const { signature } = await firstTraffic(traffic, har, quoteAll(command), context);
      noteSurroundings(context, files, linked);
      return {
        original: har,
        before: sizeOf(har, side),
        rule: traffic.rule,
        command: quoteAll(command),
        ...(signature === undefined ? {} : { signature }),
        test: retryAlone(traffic.test, ranOutOfTime),
        probe: {
          original: har,
          identify: identifyExchanges(saltOf(folder)),
          testedOf: best => best,
          suspect: folder.journal.noted('unstable') === true,
          // A server takes time to start: it is checked again only on request, or if the first runs differ.
          seconds: Infinity,
        },
        kept: written,
      };
    },
    async *search({ test, settings, keep }) {
      const { strategy } = options;
      const passes = trafficPasses(side).map(pass =>
        strategy === undefined || pass.strategy ? pass : { ...pass, strategy: () => listStrategy(strategy) },
      );
      const how = { identify: identifyExchanges(saltOf(folder)), measure: bytesOf };
      const end = yield* simplify(har, passes, test, { ...settings, ...how, accepted: keep });
      const { ended, minimal, artifact: best } = end;
      return { ended, minimal, best, after: sizeOf(best, side), proofs: await proofsBy(passes, best, how) };
    },
    goBack: (end, best) => ({ ...end, best, after: sizeOf(best, side) }),
    keep(best) {
      const curl = textFiles({ [`${name}.sh`]: curlScript(best, name) });
      folder.keepBest(script ? { files: new Map([...written(best).files, ...curl.files]) } : written(best));
      output.write(written(best), folder);
      script?.write(curl, folder);
    },
    page: best => ({
      title: name,
      reproduce,
      output: output.path,
      table: {
        caption: `Every exchange; those that matter are marked, with what is left of the ${side} (credentials are masked)`,
        columns: ['exchange', `left of the ${side}`],
        ...markLeft(har, best, side),
      },
    }),
    present({ best }) {
      const exchanges = best.log.entries.map(shownExchange);
      const shown = best.log.entries.map((exchange, i) =>
        [exchanges[i]!, ...shownValues(exchange, side).map(value => `    ${value}`)].join('\n'),
      );
      return {
        output: output.path,
        reproduce,
        result: [...shown, ...(script ? ['', `As curl commands: ${script.path}`] : [])].join('\n'),
        fields: {
          exchanges,
          values: best.log.entries.map(exchange => shownValues(exchange, side)),
          ...(script ? { curl: script.path } : {}),
        },
      };
    },
    async close() {
      isClosed = true;
      await traffic.close();
      await slots?.close();
    },
  };
}

function read(path: string): Uint8Array {
  try {
    return readNamed(path);
  } catch (error) {
    throw new UserError(
      `The recording ${path} can't be read: ${(error as Error).message}.`,
      "Export one: in the browser's developer tools, Network, “Save all as HAR”.",
    );
  }
}

function fileIn({ files }: Artifact, name: string): Uint8Array {
  const entry = files.get(name);
  return entry?.kind === 'file' ? entry.bytes : new Uint8Array();
}

const fileOf = (name: string, bytes: Uint8Array): Artifact => ({ files: new Map([[name, { kind: 'file', bytes }]]) });
