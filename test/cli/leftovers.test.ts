/** Tests that leave folders and names which are hard to remove: no later test sees them, and none stays behind. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, leftBehindBy, start } from './culprit.js';

/** Fails as a search expects it, but only in a folder that holds nothing but the input. */
const untidy = (mess: string) => `#!/bin/sh
input=$1
for place in "$(dirname "$input")" "$TMPDIR"; do
  for name in "$place"/* "$place"/.[!.]*; do
    if [ -e "$name" ] && [ "$name" != "$input" ]; then echo "$name" >> "$SEEN"; exit 9; fi
  done
done
grep -q BOOM "$input"; found=$?
${mess}
if [ $found = 0 ]; then echo "Error: boom found" >&2; exit 3; fi
`;

const nested = `
path=$(printf 'a-name-of-twenty-one/%.0s' $(seq 100))
deep() { for i in 1 2 3; do mkdir -p "$path" && cd "$path" || exit 8; done; echo x > file; }
(deep); (cd "$TMPDIR" && deep)
`;

const unreadable = `
name=$(printf 'bad\\377name')
mkdir "$name" "$TMPDIR/$name" && echo x > "$name/$name" && echo x > "$TMPDIR/$name/file"
echo x > "$(printf 'other\\376')"
`;

test.each([
  ['300 nested folders', nested],
  ['names that are not UTF-8', unreadable],
  [
    'both, in a folder that may not be entered',
    `${nested}${unreadable}mkdir locked && echo x > locked/x && chmod 0 locked`,
  ],
])('%s: each test starts clean, and the result is right', async (_, mess) => {
  const cwd = folderWith({ 'in.txt': 'a\nb\nBOOM\nc\n', 't.sh': untidy(mess) });
  const seen = join(folderWith(), 'seen');
  const run = start(['reduce', 'in.txt', '-j', '2', '--by', 'line', '--', './t.sh', '{}'], {
    cwd,
    env: { SEEN: seen },
  });
  const ended = await run.ended;
  expect(existsSync(seen) ? readFileSync(seen, 'latin1') : '').toBe('');
  expect(ended.code, ended.stderr).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('BOOM\n');
  expect(leftBehindBy(run.pid!)).toEqual([]);
});
