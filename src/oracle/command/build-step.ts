/** The build before each test: how long it may take, and what is kept of it. */
import { substituteInLine } from '../../core/shell.js';
import type { Run } from '../process/index.js';
import { linesAbout } from './complaints.js';

/** Seconds that the first build may take; later ones are rarely from scratch, and may take ten times the slowest so far. */
const firstBuild = 3600;
const shortestBuild = 60;

export interface BuildStep {
  /** Builds in a workspace. Nothing is returned if that succeeded, else how it ended. */
  run(workspace: string, start: Start): Promise<Run | undefined>;
}

export interface Start {
  run(argv: readonly string[], timeout: number): Promise<Run>;
  /** The build ran to its end, so what it made can stay for the next one. */
  kept(): void;
  /** It was stopped halfway, which leaves files that look finished. */
  stopped(): void;
}

export function buildStep(command: string): BuildStep {
  /** Seconds of the slowest successful build. */
  let slowest = 0;
  return {
    async run(workspace, start) {
      let isWhole = false;
      try {
        const argv = ['/bin/sh', '-c', substituteInLine(command, '{}', workspace)];
        const run = await start.run(argv, slowest === 0 ? firstBuild : Math.max(shortestBuild, slowest * 10));
        isWhole = !run.timedOut && run.signal === undefined;
        if (isWhole) start.kept();
        if (run.exit !== 0) return run;
        slowest = Math.max(slowest, run.seconds);
        return undefined;
      } finally {
        if (!isWhole) start.stopped();
      }
    },
  };
}

/** What the compiler says is kept: it often names what is missing. */
export function whyUnbuilt(run: Run): string {
  if (run.timedOut) return 'the build takes too long';
  const errors = linesAbout(/error|undefined|undeclared|cannot find|not defined|multiple definition/i, run);
  return errors.length === 0 ? 'does not build' : `does not build: ${errors.join('; ')}`;
}
