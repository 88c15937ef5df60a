/** Python programs, from the same agent as their branches. */
import { delimiter, join } from 'node:path';
import { quote } from '../../../core/shell.js';
import { agentFolder, pythonEnvironment, readPython, type SeenByPython } from '../branches/python.js';
import type { Coverage } from '../coverage.js';
import { type Environment, pathOf, placeWrapper, programsOn } from '../programs.js';
import { idleLines, pathsIn, type Runtime, type WatchedRun } from './runtime.js';

export const python: Runtime = {
  name: 'python',
  files: /\.py$/,
  interpreter: /\bpython[\d.]*\b/,
  environment(folder, around) {
    return {
      ...pythonEnvironment(folder, around),
      CULPRIT_LINES: 'own',
      ...wrapPython(join(folder, 'python'), agentFolder, around),
    };
  },
  read(run) {
    const [executed, undecided] = [new Map<string, Set<number>>(), new Map<string, Set<number>>()];
    for (const [path, seen] of reported(run)) {
      executed.set(path, new Set());
      undecided.set(path, new Set());
      countStatements(seen, executed.get(path)!, undecided.get(path)!);
    }
    return { kinds: ['python'], executed, undecided } satisfies Coverage;
  },
  idle: run => idleLines(new Map([...reported(run)].map(([path, seen]) => [path, stepsOf(seen)])), run.files),
};

/** Programs that start Python. */
const starts = /^(?:python(?:3(?:\.\d+)?)?|py\.test|pytest)$/;

/** A test often sets PYTHONPATH for the program, and the agent would not be on it any more: then a wrapper adds it again. */
export function wrapPython(bin: string, agents: string, around: Environment): Readonly<Record<string, string>> {
  for (const real of programsOn(pathOf(around), starts)) placeWrapper(real, bin, wrapper(real, agents));
  return { PATH: [bin, pathOf(around)].join(delimiter) };
}

const wrapper = (real: string, agents: string): string => `#!/bin/sh
agent=${quote(agents)}
case ":$PYTHONPATH:" in
  *":$agent:"*) ;;
  *) PYTHONPATH=$agent\${PYTHONPATH:+:$PYTHONPATH} && export PYTHONPATH ;;
esac
exec ${quote(real)} "$@"
`;

const reported = (run: WatchedRun): ReadonlyMap<string, readonly SeenByPython[]> => {
  const inVersion = pathsIn(run);
  return readPython(run.folder, file => {
    const path = inVersion(file);
    return path !== undefined && run.files.has(path) ? path : undefined;
  });
};

const stepsOf = (seen: readonly SeenByPython[]): ReadonlySet<number> =>
  new Set(seen.flatMap(({ lines }) => lines.map(([line]) => line)));

/**
 * A statement counts as a whole, wherever in it the steps are. The head of a function that nothing called ran only to define it:
 * that is undecided. Docstrings do not count.
 */
function countStatements(seen: readonly SeenByPython[], executed: Set<number>, undecided: Set<number>): void {
  const steps = stepsOf(seen);
  const called = new Set(seen.flatMap(({ functions }) => functions.map(([line]) => line)));
  const statements = seen.find(each => each.statements.length > 0)?.statements ?? [];
  for (const step of steps) executed.add(step);
  for (const [first, last, kind] of statements) {
    const lines = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    if (kind === 'text') for (const line of lines) executed.delete(line);
    else if (!lines.some(line => steps.has(line))) continue;
    else if (kind === 'step' || lines.some(line => called.has(line))) for (const line of lines) executed.add(line);
    else
      for (const line of lines) {
        executed.delete(line);
        undecided.add(line);
      }
  }
}
