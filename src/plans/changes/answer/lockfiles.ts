/** Writes a lockfile in the style of the user's own. */
import type { Artifact, Entry } from '../../../core/artifact.js';

/**
 * A project as people keep it: without the packages, and with the lockfile in their style, so that a patch changes only the
 * upgrades. `text`: their lockfile, from which `artifact` should differ as little as possible.
 */
export function inUserStyle(artifact: Artifact, text: string, isTheirs: boolean): Artifact {
  const files = new Map<string, Entry>();
  for (const [path, entry] of artifact.files) if (!/(^|\/)node_modules(\/|$)/.test(path)) files.set(path, entry);
  const lock = files.get('package-lock.json');
  if (lock?.kind === 'file') {
    const written = isTheirs ? text : writtenLike(Buffer.from(lock.bytes).toString('utf8'), text);
    files.set('package-lock.json', { kind: 'file', bytes: Buffer.from(written) });
  }
  return { files };
}

/** The same entries, in the order and with the indentation of the model. */
function writtenLike(text: string, model: string): string {
  const lock = JSON.parse(text) as { packages: Record<string, unknown> };
  const places = new Map(Object.keys((JSON.parse(model) as typeof lock).packages).map((name, i) => [name, i]));
  const names = Object.keys(lock.packages);
  const ordered = names.filter(name => places.has(name)).sort((a, b) => places.get(a)! - places.get(b)!);
  for (const name of names.filter(each => !places.has(each))) {
    const at = ordered.findIndex(other => other.localeCompare(name, 'en') > 0);
    ordered.splice(at < 0 ? ordered.length : at, 0, name);
  }
  const packages = Object.fromEntries(ordered.map(name => [name, lock.packages[name]]));
  const indent = /^\{\r?\n([ \t]+)/.exec(model)?.[1] ?? '  ';
  return `${JSON.stringify({ ...lock, packages }, null, indent)}${model.endsWith('\n') ? '\n' : ''}`;
}
