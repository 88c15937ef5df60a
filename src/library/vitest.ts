/**
 * `culprit/vitest`: a reporter for vitest that says, for tests that failed, how to find out whether other tests are the reason. With
 * CULPRIT=1 it finds out, within a budget.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
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
  /** With CULPRIT=1: seconds after which culprit stops with what it has (default: CULPRIT_MAX_TIME, or 120). */
  readonly maxTime?: number;
  readonly print?: (line: string) => void;
}

/** In vitest.config.ts: `test: { reporters: ['default', 'culprit/vitest'] }`. */
export default class CulpritReporter {
  readonly #options: Required<HintOptions>;

  constructor(options: HintOptions = {}) {
    const { command = 'npx vitest run', most = 3, print = line => process.stdout.write(`${line}\n`) } = options;
    const { maxTime = Number(process.env.CULPRIT_MAX_TIME) || 120 } = options;
    this.#options = { command, most, maxTime, print };
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const { command, most, print } = this.#options;
    const failed = modules.flatMap(module => [...module.children.allTests('failed')]);
    // One test that ran alone depends on no other.
    const ran = modules.reduce((sum, { children }) => sum + [...children.allTests()].filter(hasRun).length, 0);
    if (failed.length === 0 || ran < 2) return;
    if (process.env.CULPRIT === '1') {
      await this.#findOut(nameOf(failed[0]!));
      return;
    }
    print('\nDo other tests make it fail? To find out:');
    for (const test of failed.slice(0, most)) {
      print(`  npx culprit tests --test ${quote(nameOf(test))} -- ${command}`);
    }
    if (failed.length > most) print(`  (${failed.length - most} more failed)`);
  }

  /** Runs culprit on one test, and shows its answer with the path of its page. */
  async #findOut(name: string): Promise<void> {
    const { command, maxTime, print } = this.#options;
    const cli = fileURLToPath(new URL('../cli/main.js', import.meta.url));
    const words = ['tests', '--json', '--quiet', '--max-time', String(maxTime), '--test', name, '--', command];
    print(`\nculprit: do other tests make ${name} fail? (at most ${maxTime} s)`);
    // Vitest ends its workers meanwhile, so nothing may block here.
    const child = spawn(process.execPath, [cli, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // The tests that culprit runs must not start culprit.
      env: { ...process.env, CULPRIT: '0' },
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const { answer, run } = resultIn(stdout);
    print(answer ?? stderr.trimEnd());
    if (run !== undefined) print(`report: ${run}/report.html`);
  }
}

export { CulpritReporter };

const nameOf = (test: TestCase): string => [test.module.relativeModuleId, ...test.fullName.split(' > ')].join(' › ');

/** Nothing in it if culprit ended without a result. */
function resultIn(stdout: string): { readonly answer?: string; readonly run?: string } {
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
}

const hasRun = (test: TestCase): boolean => test.result().state !== 'skipped';
