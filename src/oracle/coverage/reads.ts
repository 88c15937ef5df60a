/** Finds which files a run reads, from their access times. */
import { lstatSync, lutimesSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Finds which files a run reads, in any language. A file's access time is set far back. Linux updates it at the first read,
 * since it is then older than the modification time (the `relatime` rule), on every mount that is not `noatime`. The
 * returned function returns which of the paths were read since, or nothing if the file system does not record it.
 */
export function watchReads(root: string, paths: Iterable<string>): () => ReadonlySet<string> | undefined {
  if (!tellsReads(root)) return () => undefined;
  const watched = [...paths].filter(path => setBack(join(root, path)));
  return () => new Set(watched.filter(path => wasRead(join(root, path))));
}

const longAgo = 1;

function setBack(file: string): boolean {
  try {
    const { mtime } = lstatSync(file);
    lutimesSync(file, longAgo, mtime);
    return true;
  } catch {
    return false;
  }
}

/** A file that was deleted or written to was also used. */
function wasRead(file: string): boolean {
  try {
    return lstatSync(file).atimeMs !== longAgo * 1000;
  } catch {
    return true;
  }
}

function tellsReads(root: string): boolean {
  const probe = join(root, `.culprit-reads-${process.pid}`);
  try {
    writeFileSync(probe, 'probe');
    utimesSync(probe, longAgo, Date.now() / 1000);
    readFileSync(probe);
    return statSync(probe).atimeMs !== longAgo * 1000;
  } catch {
    return false;
  } finally {
    rmSync(probe, { force: true });
  }
}
