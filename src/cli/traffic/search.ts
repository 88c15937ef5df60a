import type { Artifact } from '../../circumstances/artifact.js';
import { quotedAll } from '../../circumstances/options/index.js';
import {
  type Har,
  ranOutOfTime,
  type Settled,
  shownExchange,
  type Traffic,
} from '../../circumstances/traffic/index.js';
import type { Test } from '../../core/index.js';
import { Counter } from '../../engine/index.js';
import { againAlone, repeated } from '../../oracle/alone.js';
import { confirmations } from '../../plans/confirm.js';
import { simplify } from '../../plans/simplify.js';
import { trafficPasses } from '../../plans/traffic.js';
import { type CommonOptions, commandAfterDashes, jobsOf } from '../common.js';
import { jsonOf } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import { saltOf } from '../kept-environment.js';
import { otherFailures } from '../other-failures.js';
import type { Output } from '../output.js';
import { listStrategy } from '../strategies.js';
import { bytesOf, identifying, marked, sizeOf } from './known.js';

export interface Searched {
  readonly har: Har;
  readonly name: string;
  readonly mode: 'send' | 'serve';
  readonly traffic: Traffic;
  readonly shown: string;
  readonly output: Output;
  readonly noted: () => void;
}

/** Exchanges, then what is in them, until nothing changes. */
export async function search(
  { har, name, mode, traffic, shown, output, noted }: Searched,
  options: CommonOptions,
  context: JobContext,
): Promise<JobResult> {
  const { folder, see } = context;
  const { signature } = folder.journal.noted('first traffic') as Settled;
  const side = mode === 'send' ? 'request' : 'response';
  const counter = new Counter();
  counter.executed = folder.journal.executed;
  const before = sizeOf(har, side);
  see({
    type: 'began',
    job: 'traffic',
    before,
    rule: traffic.rule,
    command: shown,
    ...(signature === undefined ? {} : { signature }),
  });
  noted();
  const written = (each: Har): Artifact => fileOf(name, Buffer.from(`${JSON.stringify(each, null, 1)}\n`));
  const test: Test<Har> = otherFailures(
    repeated(againAlone(traffic.test, ranOutOfTime), options.repeat ?? 1),
    folder,
    see,
    written,
  );
  let best = har;
  const keep = (each: Har) => {
    best = each;
    if (folder.journal.replaying) return;
    const artifact = written(each);
    folder.keepBest(artifact);
    output.write(artifact, folder);
  };
  keep(har);
  const reproduce = `culprit traffic ${quotedAll([output.path])} ${rest(context)}`;
  const page = () => ({
    title: name,
    reproduce,
    output: output.path,
    table: {
      caption: `Every exchange; those that matter are marked, with what is left of the ${side} (credentials are masked)`,
      columns: ['exchange', `left of the ${side}`],
      ...marked(har, best, side),
    },
  });
  context.showing(page);
  const passes = trafficPasses(side).map(pass =>
    options.strategy === undefined || pass.strategy
      ? pass
      : { ...pass, strategy: () => listStrategy(options.strategy!) },
  );
  const end = await context.follow(
    simplify(har, passes, test, {
      workers: jobsOf(options),
      signal: context.signal,
      memory: options.cache === false ? folder.journal.inOrder() : folder.journal,
      identify: identifying(saltOf(folder)),
      measure: bytesOf,
      counter,
      outOfTime: context.outOfTime,
      accepted: keep,
      confirm: confirmations,
      ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
      ...(options.cache === false ? { remember: false } : {}),
    }),
  );
  keep(end.artifact);
  const after = sizeOf(best, side);
  see({
    type: 'ended',
    ended: end.ended,
    minimal: end.minimal,
    size: after,
    counts: counter.counts,
    seconds: context.seconds(),
  });
  return {
    ended: end.ended,
    ending: { output: output.path, reproduce, result: best.log.entries.map(shownExchange).join('\n') },
    json: jsonOf(context, 'traffic', end, counter, {
      before,
      after,
      output: output.path,
      signature: signature ?? traffic.rule,
      exchanges: best.log.entries.map(shownExchange),
    }),
    page: page(),
  };
}

/** The words of the command line after the recording, to run the same on the result. */
function rest({ folder }: JobContext): string {
  const { before, command } = commandAfterDashes(folder.journal.header.argv);
  const kept: string[] = [];
  for (let i = 1; i < before.length; i++) {
    const word = before[i]!;
    if (/^--(send|missing|allow-host|status|body|stderr)$/.test(word) && before[i + 1] !== undefined)
      kept.push(word, ...(before[i + 1]!.startsWith('--') ? [] : [before[++i]!]));
    else if (/^--(send|serve|missing|allow-host|crash|status|body|stderr)\b/.test(word)) kept.push(word);
  }
  return quotedAll([...kept, '--', ...command]);
}

/** A file alone, as an artifact. */
export const fileOf = (name: string, bytes: Uint8Array): Artifact => ({
  files: new Map([[name, { kind: 'file', bytes }]]),
});
