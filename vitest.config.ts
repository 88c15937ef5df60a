import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The `python3` of pyenv is a script that starts forty other programs before the interpreter: tests find the interpreter itself.
const firstLine = (command: string) => spawnSync('sh', ['-c', command], { encoding: 'utf8' }).stdout.trim();
const python = firstLine(
  'case $(command -v python3) in */shims/*) python3 -c "import sys; print(sys.executable)";; esac',
);
if (python) process.env.PATH = `${dirname(python)}${delimiter}${process.env.PATH}`;

/** Tests that start real programs come first: they are the long ones, and at the end of a run one would keep the others waiting. */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const startsPrograms = ({ moduleId }: TestSpecification) =>
      /test\/(cli|remote|oracle|quality|first-day)\//.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(startsPrograms), ...sorted.filter(each => !startsPrograms(each))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Tests wait for other processes a quarter of the time: three of them keep two cores busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Real compilers, servers and browsers run in these tests, on two cores.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is waited for comes at last, however busy the machine is; a second is not enough for a browser.
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: ProgramsFirst },
  },
});
