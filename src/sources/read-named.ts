/** Reads a file that is named on a command line. */
import { readFileSync, realpathSync, statSync } from 'node:fs';

/**
 * Like `readFileSync`, but it refuses what may never end: a read of a pipe that nobody writes into can't be ended, not even by
 * Ctrl-C. The pipes that a shell makes for `<(command)` have no name, and end with the command.
 */
export function readNamed(path: string): Buffer {
  const stats = statSync(path);
  if (stats.isDirectory()) throw new Error('it is a folder');
  if (stats.isFIFO() && realPath(path) !== undefined) throw new Error('it is a named pipe, not a file');
  if (stats.isCharacterDevice() && realPath(path) !== '/dev/null') throw new Error('it is a device, not a file');
  return readFileSync(path);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
