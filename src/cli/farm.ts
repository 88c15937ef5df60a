/** Connects to the workers that the options name. */

import { availableParallelism } from 'node:os';
import { UserError } from '../core/index.js';
import type { Request } from '../plans/job.js';
import type { RedisFarm } from '../remote/farm.js';
import { versions } from '../run/versions.js';

/** Jobs whose tests can't be sent to another machine, and why; see decision 14. */
const onlyHere: Readonly<Record<string, string>> = {
  actions: 'actions replays a recording in a browser on this machine, against an application that runs here.',
  traffic: 'traffic talks to a server or a client that runs on this machine.',
  schedules: 'Whether a schedule shows the failure depends on the timing of this machine.',
};

/** `undefined` without `--workers`: its code is loaded only if it is needed. */
export async function openFarm({ job, options }: Request): Promise<RedisFarm | undefined> {
  const { workers: url, key = process.env.CULPRIT_KEY, trustWorkers, sendEnv = [], jobs } = options;
  if (!url) {
    const useless = trustWorkers
      ? '--trust-workers'
      : options.sendEnv
        ? '--send-env'
        : options.key
          ? '--key'
          : undefined;
    if (useless !== undefined && url === undefined)
      throw new UserError(`${useless} needs --workers.`, 'Add --workers redis://host:6379, or remove it.');
    return undefined;
  }
  const reason = onlyHere[job];
  if (reason !== undefined)
    throw new UserError(
      `--workers does not apply to ${job}.`,
      `${reason} Remove --workers; -j runs tests in parallel here.`,
    );
  const { demandUrl } = await import('../remote/redis.js');
  demandUrl(url);
  if (!key)
    throw new UserError(
      'Workers run signed commands only, and there is no key to sign with.',
      'Make a pair with `culprit worker --keygen client`, start the workers with --trust client.pub, and add --key client.key.',
    );
  const { readSigner, readTrusted } = await import('../remote/keys.js');
  const { RedisFarm: Farm } = await import('../remote/farm.js');
  return Farm.connect({
    url,
    signer: readSigner(key),
    sendEnv,
    jobs: jobs ?? availableParallelism(),
    version: versions().culprit!,
    ...(trustWorkers ? { trusted: readTrusted(trustWorkers) } : {}),
  });
}
