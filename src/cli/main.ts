#!/usr/bin/env node
import { UserError } from '../core/index.js';
import { program } from './program.js';

try {
  await program().parseAsync(process.argv);
} catch (error) {
  if (error instanceof UserError) {
    process.stderr.write(`culprit: ${error.message}\n${error.advice ? `${error.advice}\n` : ''}`);
    process.exitCode = error.exitCode;
  } else {
    process.stderr.write(
      `culprit: this is a bug of culprit itself, please report it with what you ran.\n${error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exitCode = 70;
  }
}
