/** Tests both versions: the new one must fail, and the old one pass. */
import type { Artifact } from '../../core/artifact.js';
import { type Outcome, type Test, UserError } from '../../core/index.js';
import type { Attempt } from '../../oracle/command/attempt.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import type { FirstRun } from '../../oracle/command/first-run.js';
import type { Asked } from '../../oracle/command/rules.js';
import { excerpt } from '../../oracle/command/run-in-words.js';
import { identify } from '../../sources/files.js';
import { firstRun } from '../first-run.js';
import type { Context } from '../job.js';
import { onlyInOne, type Pair } from './pair.js';

export interface Trial {
  readonly oracle: CommandOracle;
  readonly command: readonly string[];
  readonly asked: Asked;
}

/** The new version first: it defines the failure. If it passes, the old one shows whether the two were swapped. */
export async function checkNew(pair: Pair, trial: Trial, context: Context): Promise<FirstRun> {
  const { oracle, command, asked } = trial;
  const [, place] = pair.places;
  const title = pair.titles[1];
  const settle = () =>
    firstRun(
      oracle,
      {
        artifact: pair.new,
        asked,
        command,
        names: [],
        where: place ?? `a copy of ${title}`,
        shown: oracle.shown(place === undefined ? '.' : place),
        called: `the new version (${title})`,
        checked: attempt => demandBuilt(attempt, 'new', title),
      },
      context,
    );
  try {
    return await settle();
  } catch (error) {
    if (!(error instanceof UserError) || error.exitCode !== 1 || asked.kind !== 'signature') throw error;
    const { run, unbuilt } = await oracle.attempt(pair.old, context.options.timeout ?? 60, context.signal);
    const swapped = !unbuilt && !run.timedOut && run.exit !== 0;
    throw new UserError(
      `${error.message}\n${
        swapped
          ? `On the old version (${pair.titles[0]}) it fails. Did you swap the two versions?`
          : unbuilt
            ? `The old version (${pair.titles[0]}) does not build.`
            : `On the old version (${pair.titles[0]}) it passes.`
      }`,
      swapped ? 'Give the version that works first, and the one that does not second.' : error.advice,
      1,
    );
  }
}

/** The test as the first run of the new version settled it. */
interface OldTest {
  readonly test: Test<Artifact>;
  readonly timeout: number;
}

/** The old version passes, or a message explains why not. `fail` is left to the caller, who may go further back. */
export async function checkOld(
  pair: Pair,
  trial: Trial,
  { test, timeout }: OldTest,
  { folder: { journal }, signal }: Context,
): Promise<Outcome> {
  const identity = identify(pair.old);
  const verdict = journal.recall(identity) ?? (await test(pair.old, signal));
  journal.record(identify(pair.new), { outcome: 'fail' });
  if (verdict.outcome !== 'unresolved') {
    journal.record(identity, verdict);
    return verdict.outcome;
  }
  const title = pair.titles[0];
  const attempt = await trial.oracle.attempt(pair.old, timeout, signal);
  demandBuilt(attempt, 'old', title);
  const said = printed(attempt);
  throw new UserError(
    `The old version (${title}) neither passes nor fails in the same way: ${verdict.reason ?? 'the outcome is unresolved'}.${said}`,
    adviceOnOld(pair, trial.command, said),
    1,
  );
}

/** `said`: what the new version printed. */
export function bothFail({ titles: [old, now], new: { files } }: Pair, said = ''): UserError {
  const [, name] = /Cannot find (?:module|package) '((?:@[^/']+\/)?[^./'][^/']*)/.exec(said) ?? [];
  const isThere = name !== undefined && files.has(`node_modules/${name}/package.json`);
  return new UserError(
    `Nothing to find: both versions fail in the same way, ${old} and ${now}.`,
    isThere
      ? `Both have ${name}, but Node looks for packages next to the script. Put the script next to both lockfiles and name it by a relative path, or use createRequire(process.cwd() + '/') in it.`
      : 'Pass an older version that works. With git revisions, culprit looks for one itself.',
    1,
  );
}

function adviceOnOld(pair: Pair, command: readonly string[], said: string): string {
  const [lone] = onlyInOne(pair, command);
  if (lone !== undefined)
    return `Only one of the two versions has ${lone}. Keep the test outside of them, and name it by its full path.`;
  if (
    /ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED|getaddrinfo|name resolution|resolve host|network is unreachable/i.test(
      said,
    )
  )
    return 'The test seems to need the network. Without --sandbox it has one; better is a test that does without.';
  if (/Cannot find (module|package)|ERR_MODULE_NOT_FOUND|ModuleNotFoundError/.test(said))
    return 'Something that the test needs is not part of the version. Install or build it first: --build "npm ci".';
  return 'The old version must be one on which the command succeeds. Try another one, or say what counts with --match, --exit or --bisect.';
}

function demandBuilt(attempt: Attempt, which: 'old' | 'new', title: string): void {
  if (!attempt.unbuilt) return;
  const how = attempt.run.timedOut ? 'takes too long' : 'fails';
  throw new UserError(
    `The build ${how} on the ${which} version (${title}), before anything was changed.${printed(attempt)}`,
    which === 'old'
      ? 'Both versions must build. Choose another old version, or fix the --build command.'
      : 'Both versions must build. To find the commit that broke the build, use `git bisect run <build>`.',
    1,
  );
}

const printed = ({ run }: Attempt): string => {
  const lines = excerpt(run);
  return lines.length === 0 ? '' : `\n${lines.map(line => `  ${line}`).join('\n')}`;
};
