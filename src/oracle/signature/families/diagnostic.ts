/** `a.erl:22:10: can't find include file`, on standard output: many compilers print errors about their input there. */
import type { Found } from '../found.js';
import type { Output } from '../output.js';
import { aside } from './generic.js';

/** The first line that begins with a place in one of the inputs. Stdout may contain anything, so other files do not count. */
export function diagnosticOnStdout({ lines }: Output, inputs: readonly string[]): Found | undefined {
  const names = new Set(inputs.map(nameOf));
  const line = lines.find(each => {
    const file = /^([^\s:()]+)[:(]\d+(?:[:,]\d+)?\)?: \S/.exec(each)?.[1];
    return file !== undefined && names.has(nameOf(file)) && !aside.test(each);
  });
  return line === undefined ? undefined : { kind: 'error', line, frames: [], depth: 0 };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
