'use strict';
/** Who this process is: its name, and whether it only starts others. */

/** Programs that start the real one: their own order of events is not what anybody looks for. */
const launchers =
  /(?:^|\/)(?:npm-cli|npx-cli|npm|npx|yarn|yarnpkg|pnpm|pnpx|corepack|vitest|vitest\.mjs|jest|jest\.js)(?:\.c?js)?$/;

const isWorkerThread = () => process.moduleLoadList?.includes('NativeModule internal/main/worker_thread') ?? false;

/** `node --test` starts a process for each file. */
const isTestRunner = () =>
  process.execArgv.includes('--test') &&
  !process.execArgv.some(arg => /^--(?:experimental-)?test-isolation=none$/.test(arg));

function isLauncher() {
  if (isWorkerThread()) return false;
  if (isTestRunner() && process.env.NODE_TEST_CONTEXT === undefined) return true;
  return launchers.test(process.argv[1] ?? '');
}

const processName = () => {
  const name = process.env.CULPRIT_PROCESS ?? 'main';
  return isWorkerThread() ? `${name}/thread` : name;
};

module.exports = { isLauncher, processName };
