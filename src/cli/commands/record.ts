import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { actionsOf } from '../../circumstances/actions.js';
import { UserError } from '../../core/index.js';
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
    .description('write down what you do in a web page, for `culprit actions`')
    .argument('<url>', 'the page: an address, or a file')
    .option('-o, --output <file>', 'where the recording goes (default: recording.json, or the next free number)')
    .addOption(new Option('--typing <how>', 'typing is written as').choices(['keys', 'values']).default('keys'))
    .addHelpText(
      'after',
      '\nCtrl-C or closing the window ends it.\n\nExample:\n  culprit record http://localhost:3000 -o broken.json\n',
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
    writable(file, () => writeFile(file, text, { exclusive: !isOurs }));
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
    process.stderr.write(`recording to ${file}; Ctrl-C or closing the window ends it\n`);
    const recording = await recorder.finished;
    if (fault !== undefined) throw fault;
    write(recording);
    const { count } = actionsOf(recording);
    process.stderr.write(
      count === 0
        ? `nothing was done: ${file} opens the page only\n`
        : `${count} action${count === 1 ? '' : 's'} in ${file}\nWhich of them matter: ${quoteAll(['culprit', 'actions', file])}\n`,
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

/** A page that lies here is given as a file; the recording names it relative to itself where it can. */
function addressOf(url: string): string {
  if (/^[a-z][a-z\d+.-]+:/i.test(url) && !/^[\w.-]+:\d+(\/|$)/.test(url)) return url;
  return existsSync(url) ? resolve(url) : `http://${url}`;
}

/** What was recorded before is never written over: nobody can do the same again. */
function placeFor(output: string | undefined): string {
  if (output !== undefined) {
    if (existsSync(output))
      throw new UserError(`${output} is there already.`, 'Name another file with --output, or take it away.');
    if (statSync(dirname(resolve(output)), { throwIfNoEntry: false })?.isDirectory()) return output;
    throw new UserError(
      `There is no folder ${dirname(resolve(output))} for the recording.`,
      'Make it, or name another.',
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
    'There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), and a person has to see the page to use it.',
    'Record on a machine with a screen, or in DevTools (Recorder, Export as JSON). What was recorded can be replayed here.',
  );
}
