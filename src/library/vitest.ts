/** `culprit/vitest`: a reporter for vitest that says, for tests that failed, how to find out whether other tests are the reason. */
import { quote } from '../core/shell.js';

/** What is used of vitest's test cases and modules. */
interface TestCase {
  readonly fullName: string;
  readonly module: { readonly relativeModuleId: string };
  result(): { readonly state: string };
}
interface TestModule {
  readonly children: { allTests(state?: string): Iterable<TestCase> };
}

export interface HintOptions {
  /** The command that runs your tests (default: `npx vitest run`). */
  readonly command?: string;
  /** How many of the failing tests are named (default: 3). */
  readonly most?: number;
  readonly print?: (line: string) => void;
}

/** In vitest.config.ts: `test: { reporters: ['default', 'culprit/vitest'] }`. */
export default class CulpritReporter {
  readonly #options: Required<HintOptions>;

  constructor(options: HintOptions = {}) {
    const { command = 'npx vitest run', most = 3, print = line => process.stdout.write(`${line}\n`) } = options;
    this.#options = { command, most, print };
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { command, most, print } = this.#options;
    const failed = modules.flatMap(module => [...module.children.allTests('failed')]);
    // One test that ran alone depends on no other.
    const ran = modules.reduce((sum, { children }) => sum + [...children.allTests()].filter(hasRun).length, 0);
    if (failed.length === 0 || ran < 2) return;
    print('\nDo other tests make it fail? To find out:');
    for (const test of failed.slice(0, most)) {
      const name = [test.module.relativeModuleId, ...test.fullName.split(' > ')].join(' › ');
      print(`  npx culprit tests --test ${quote(name)} -- ${command}`);
    }
    if (failed.length > most) print(`  (${failed.length - most} more failed)`);
  }
}

export { CulpritReporter };

const hasRun = (test: TestCase): boolean => test.result().state !== 'skipped';
