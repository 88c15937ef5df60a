import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';

const old = 'exports.total = items => {\n  let sum = 0;\n  for (const item of items) sum += item;\n  return sum;\n};\n';
const broken = old.replace('let sum = 0', 'let sum = 1').replace('  return', '  // Done.\n  return');
const check = "const { total } = require('./sum.js');\nif (total([1]) !== 1) throw new Error('wrong total');\n";
const files = {
  'old/lib/sum.js': old,
  'old/check.js': check.replace('./sum.js', './lib/sum.js'),
  'new/lib/sum.js': broken,
  'new/check.js': check.replace('./sum.js', './lib/sum.js'),
};
const command = ['changes', 'old', 'new', '--sarif', 'out.sarif', '--', process.execPath, 'check.js'];

test('changes --sarif writes the line to blame where code-scanning views look for it', async () => {
  const cwd = folderWith(files);
  const { code, stderr } = await culprit(command, { cwd });
  expect(stderr).toContain('lib/sum.js');
  expect(code).toBe(0);
  const { version, runs } = JSON.parse(readFileSync(join(cwd, 'out.sarif'), 'utf8'));
  expect(version).toBe('2.1.0');
  expect(runs).toHaveLength(1);
  expect(runs[0].tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual([runs[0].results[0].ruleId]);
  expect(runs[0].results).toHaveLength(1);
  expect(runs[0].results[0].message.text).toContain('wrong total');
  expect(runs[0].results[0].locations).toEqual([
    { physicalLocation: { artifactLocation: { uri: 'lib/sum.js' }, region: { startLine: 2, endLine: 2 } } },
  ]);
});

test("--sarif never replaces a file of the user's", async () => {
  const cwd = folderWith({ ...files, 'out.sarif': 'mine\n' });
  const { code, stderr } = await culprit(command, { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('out.sarif already exists');
  expect(readFileSync(join(cwd, 'out.sarif'), 'utf8')).toBe('mine\n');
  expect(existsSync(join(cwd, '.culprit'))).toBe(false);
});

test('--sarif holds changes that break something, not those that prevent it: it is refused with --prevent', async () => {
  const cwd = folderWith(files);
  const { code, stderr } = await culprit(['changes', '--prevent', ...command.slice(1)], { cwd });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('--prevent and --sarif cannot be combined.\nLeave --sarif out.'),
  });
  expect(existsSync(join(cwd, '.culprit'))).toBe(false);
});
