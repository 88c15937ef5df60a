/** The versions of a package that were published. */
import { UserError } from '../../core/index.js';
import { lastLine, npm, reachable } from '../versions/npm.js';
import { compareVersions, isPrerelease } from './semver.js';

/** The published versions after `from` and up to `to`, in order; pre-releases only if they are one of the two. */
export async function publishedBetween(
  name: string,
  [from, to]: readonly [string, string],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { code, text } = await npm(['view', name, 'versions', '--json', '--loglevel=error'], process.cwd(), signal);
  if (code !== 0) throw new UserError(`npm could not list the versions of ${name}: ${lastLine(text)}`, reachable);
  let listed: unknown;
  try {
    listed = JSON.parse(text.slice(Math.max(0, text.search(/[["]/))));
  } catch {
    throw new UserError(`npm listed the versions of ${name} in a form that is not JSON.`, reachable);
  }
  const versions = (Array.isArray(listed) ? listed : [listed]).map(String);
  return [...new Set([...versions, to])]
    .filter(each => each === to || !isPrerelease(each))
    .filter(each => compareVersions(each, from) > 0 && compareVersions(each, to) <= 0)
    .sort(compareVersions);
}
