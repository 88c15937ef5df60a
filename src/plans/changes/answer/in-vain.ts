/**
 * A mixture of two versions may pass because it ends before the test has looked at anything: it takes the way to a help text, say, and exits with 0. What the
 * test itself runs shows that. With a callback that both versions call, a mixture that does not call it has not been tested.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Artifact, Entry } from '../../../core/artifact.js';
import type { Test } from '../../../core/index.js';
import type { FirstRun } from '../../../oracle/command/first-run.js';
import { notRunBy, type ScriptsRun, watchScripts } from '../../../oracle/coverage/index.js';
import type { Trial } from '../ends.js';
import type { Pair } from '../pair.js';

/** What a run of an artifact executes of the scripts of the test; undefined if nothing is known about it. */
export type Watch = (artifact: Artifact, signal: AbortSignal) => Promise<ScriptsRun | undefined>;

/** The same test, but what passes without something of the test that both versions run is unresolved. Only what passes is run once more. */
export function unlessInVain(test: Test<Artifact>, { old, new: now }: Pair, watch: Watch): Test<Artifact> {
  let known: Promise<readonly ScriptsRun[]> | undefined;
  const bothEnds = async (signal: AbortSignal) => {
    const runs: ScriptsRun[] = [];
    for (const each of [old, now]) {
      const run = await watch(each, signal);
      // Only what both of them run is known to be a part of the test that no version leaves out.
      if (!run || run.size === 0) return [];
      runs.push(run);
    }
    return runs;
  };
  return async (artifact, signal) => {
    const verdict = await test(artifact, signal);
    if (verdict.outcome !== 'pass' || artifact === old) return verdict;
    const asked = (known ??= bothEnds(signal));
    // A question that was withdrawn is no answer for the next one.
    asked.catch(() => void (known = undefined));
    const ends = await asked;
    const run = ends.length === 0 ? undefined : await watch(artifact, signal);
    const left = run && notRunBy(run, ends);
    if (!left) return verdict;
    const reason = `it passes, but leaves out a part of ${basename(left.path)} that both versions run`;
    return { ...verdict, outcome: 'unresolved', reason };
  };
}

/** Watches what Node runs of the test: it reports that by itself, and nothing of ours is in the program. */
export function watchTest({ oracle, command }: Trial, { old, new: now }: Pair, { timeout }: FirstRun): Watch {
  const words = command.flatMap(word => word.split(/\s+/)).filter(word => word !== '');
  const named = new Set(words.flatMap(word => (existsSync(resolve(word)) ? [realpathSync(resolve(word))] : [])));
  const inVersion = new Set(words.map(word => word.replace(/^(\.\/)+/, '')));
  const isTest = (path: string) =>
    named.has(path) ||
    ((inVersion.has(path) || testFile.test(path)) && isSame(old.files.get(path), now.files.get(path)));
  return async (artifact, signal) => {
    // Coverage slows a test down.
    const { attempt, seen } = await oracle.observe(artifact, 3 * timeout, signal, watchScripts(isTest));
    signal.throwIfAborted();
    return attempt.run.timedOut ? undefined : seen;
  };
}

/** As most projects call the files of their tests. */
const testFile =
  /^(?!.*node_modules\/)(?:.*\/)?(?:(?:tests?|specs?|__tests__)\/.*|[^/]*[._-](?:test|spec))\.[cm]?[jt]sx?$/;

const isSame = (a: Entry | undefined, b: Entry | undefined): boolean =>
  a?.kind === 'file' && b?.kind === 'file' && Buffer.from(a.bytes).equals(b.bytes);
