#!/usr/bin/env node
import { crash, report } from './failure.js';
import { program } from './program.js';

process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);
// A reader that went away (`| head`) is no failure of the command.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

try {
  await program().parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
}
