/** What a command prints, as it may be stored: without secrets, and with the user's paths instead of a workspace's. */
import type { Run } from '../process/index.js';
import type { OracleOptions } from './options.js';

const same = (output: Uint8Array): Uint8Array => output;

export function cleanOutput(
  run: Run,
  workspace: string,
  { mirrors, cleaned = same }: Pick<OracleOptions, 'mirrors' | 'cleaned'>,
): Run {
  if (mirrors === undefined && cleaned === same) return run;
  const clean = (output: Uint8Array) => cleaned(mirrors === undefined ? output : replaced(output, workspace, mirrors));
  return { ...run, stdout: clean(run.stdout), stderr: clean(run.stderr) };
}

function replaced(output: Uint8Array, path: string, by: string): Uint8Array {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.length);
  if (!bytes.includes(path)) return output;
  const raw = (text: string) => Buffer.from(text).toString('latin1');
  return Buffer.from(
    bytes.toString('latin1').replaceAll(raw(path), () => raw(by)),
    'latin1',
  );
}
