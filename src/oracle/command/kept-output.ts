/** What a test script kept of what its programs said: `clang a.c >out.txt 2>&1; grep …`. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const mostFiles = 16;
const longest = 256 * 1024;

/** The texts that were written into the working folder, apart from the input. */
export function keptOutput(folder: string, inputs: ReadonlySet<string>): Buffer {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile() && !inputs.has(entry.name))
    .map(({ name }) => name)
    .sort()
    .slice(0, mostFiles);
  const texts = names.flatMap(name => {
    const path = join(folder, name);
    const bytes = statSync(path).size > longest ? Buffer.alloc(0) : readFileSync(path);
    return bytes.includes(0) ? [] : [bytes, Buffer.from('\n')];
  });
  return Buffer.concat(texts);
}
