/** `culprit record`: records what a user does in a web page. */

import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { actionsOf } from '../../circumstances/actions.js';
import { UserError } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import { quoteAll } from '../../core/shell.js';
import { openRecorder, type Recorder } from '../../oracle/browser/record.js';
import { watchBrowser } from '../../oracle/browser/watch.js';
import { writable, writeFile } from '../../run/atomic-write.js';
import type { Recording } from '../../sources/recording/recording.js';

interface Options {
  readonly output?: string;
  readonly typing?: 'keys' | 'values';
}

export function recordCommand(): Command {
  return new Command('record')
    .description('record your actions in a web page, for `culprit actions`')
    .argument('<url>', 'the page: a URL or a file')
    .option('-o, --output <file>', 'where to write the recording (default: recording.json, or the next free number)')
    .addOption(new Option('--typing <how>', 'record typing as').choices(['keys', 'values']).default('keys'))
    .addHelpText(
      'after',
      '\nTo stop recording, press Ctrl-C or close the window.\n\nExample:\n  culprit record http://localhost:3000 -o broken.json\n',
    )
    .action(record);
}

async function record(url: string, { output, typing }: Options): Promise<void> {
  const file = placeFor(output);
  demandDisplay();
  const folder = dirname(resolve(file));
  let isOurs = false;
  const write = (recording: Recording) => {
    const text = `${JSON.stringify(recording, null, 2)}\n`;
    writable(file, () => writeFile(file, text, { exclusive: !isOurs }), 'Choose another file with --output.');
    isOurs = true;
  };
  const stop = new AbortController();
  let fault: unknown;
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(3);
    stop.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  let recorder: Recorder | undefined;
  try {
    recorder = await openRecorder(addressOf(url), {
      title: `Recording of ${url}`,
      folder,
      signal: stop.signal,
      watch: watchBrowser,
      ...(typing ? { typing } : {}),
      onChange: recording => {
        try {
          write(recording);
        } catch (error) {
          fault ??= error;
          stop.abort();
        }
      },
    });
    write(recorder.recording());
    process.stderr.write(`recording to ${file}; to stop, press Ctrl-C or close the window\n`);
    const recording = await recorder.finished;
    if (fault !== undefined) throw fault;
    write(recording);
    const { count } = actionsOf(recording);
    process.stderr.write(
      count === 0
        ? `no actions recorded: ${file} only opens the page\n`
        : `recorded ${counted(count, 'action')} to ${file}\nTo find those that matter: ${quoteAll(['culprit', 'actions', file])}\n`,
    );
  } catch (error) {
    if (recorder || !stop.signal.aborted) throw error;
    process.stderr.write('culprit: stopped before the page was open.\n');
    process.exitCode = 3;
  } finally {
    await recorder?.close();
    for (const signal of signals) process.off(signal, interrupt);
  }
}

/** A local page is given as a file; the recording names it by a relative path if it can. */
function addressOf(url: string): string {
  if (/^[a-z][a-z\d+.-]+:/i.test(url) && !/^[\w.-]+:\d+(\/|$)/.test(url)) return url;
  return existsSync(url) ? resolve(url) : `http://${url}`;
}

/** An earlier recording is never overwritten: nobody could repeat it exactly. */
function placeFor(output: string | undefined): string {
  if (output !== undefined) {
    if (existsSync(output))
      throw new UserError(`${output} already exists.`, 'Choose another file with --output, or delete it.');
    if (statSync(dirname(resolve(output)), { throwIfNoEntry: false })?.isDirectory()) return output;
    throw new UserError(
      `There is no folder ${dirname(resolve(output))} for the recording.`,
      'Create it, or choose another.',
    );
  }
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'recording.json' : `recording-${n}.json`;
    if (!existsSync(name)) return name;
  }
}

function demandDisplay(): void {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return;
  throw new UserError(
    'No display found: neither DISPLAY nor WAYLAND_DISPLAY is set. You need to see the page to record actions in it.',
    'Record on a machine with a screen, or in DevTools (Recorder, Export as JSON). Recordings can be replayed here.',
  );
}
