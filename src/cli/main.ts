#!/usr/bin/env node
/** The entry point: runs the program, and turns every error into a sentence and an exit code. */
import { showFirstLine } from './first-line.js';
import { refuseNode } from './node-version.js';

const refused = refuseNode(process.versions.node);
if (refused !== undefined) {
  process.stderr.write(refused);
  process.exit(1);
}
showFirstLine(process.argv.slice(2), process.env, { error: process.stderr, output: process.stdout });
// Everything else takes longer to load than Node itself.
const [{ crash, lostOutput, printFailure, report }, { program }] = await Promise.all([
  import('./failure.js'),
  import('./program.js'),
]);

process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);
// A job handles signals itself, and keeps what it has found. Before and after it, there is nothing to keep.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (process.listenerCount(signal) > 1) return;
    const message = 'stopped.';
    process.stderr.write(`culprit: ${message}\n`);
    printFailure({ ended: 'interrupted', message, advice: '' });
    process.exit(3);
  });
// A closed pipe (`| head`) is not a failure of the command; a full disk is.
process.stderr.on('error', () => {});
let lost: number | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || lost !== undefined) return;
  lost = report(lostOutput(error));
});

// Node ends with 13, and without a word, if nothing is left that could settle what is awaited: that is a bug of ours, too.
process.on('exit', code => {
  if (code === 0 && lost !== undefined) process.exitCode = lost;
  if (code === 13) process.exitCode = report(new Error('it waited for something that could no longer happen'));
});

try {
  await program().parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
}
// A search that was stopped, or had nothing to do, may still compute something: nobody waits for it.
if (process.exitCode === 3 || process.exitCode === 1) process.exit();
