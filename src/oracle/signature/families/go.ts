/** Go: panics and the runtime's fatal errors. */
import type { Family, Frame } from '../found.js';

export const go: Family = ({ text, lines }) => {
  if (!text.includes('goroutine ') && !/^panic: /m.test(text)) return undefined;
  const at = lines.findIndex(line => /^(?:panic: |fatal error: )/.test(line));
  if (at < 0) return undefined;
  const line = lines[at]!.replace(/ \[recovered\].*$/, '').replace(/^panic: main\./, 'panic: ');
  const start = lines.findIndex((text, i) => i > at && /^goroutine \d+ /.test(text));
  const frames: Frame[] = [];
  for (let i = start + 1; start >= 0 && i < lines.length && lines[i] !== ''; i++) {
    const call = /^(?:created by )?([\w./*()[\]·%~-]+?)(?:\((?:[^()]|\.\.\.)*\))?(?: in goroutine \d+)?$/.exec(
      lines[i]!,
    );
    if (!call || lines[i]!.startsWith('\t') || lines[i]!.startsWith('created by')) continue;
    const [, file = '', line = ''] = /^\t(\S+?):(\d+)/.exec(lines[i + 1] ?? '') ?? [];
    frames.push({ name: functionName(call[1]!), file, site: `${file}:${line}` });
  }
  return {
    kind: 'go',
    line,
    frames: frames.filter(({ name }) => !/^(?:runtime|runtime\/debug|testing|syscall)\.|^panic$/.test(name)),
    sites: frames.map(({ site }) => site!),
    depth: /stack overflow|stack exceeds/.test(text) ? 0 : 1,
  };
};

/** `github.com/x/y/pkg.(*T).Method.func1` → `pkg.T.Method`. */
const functionName = (name: string): string =>
  name
    .slice(name.lastIndexOf('/') + 1)
    .replace(/\[.*\]/, '')
    .replace(/\(\*?([^)]*)\)/, '$1')
    .replace(/(?:\.func\d+|\.\d+|-fm|\.gowrap\d+)+$/, '');
