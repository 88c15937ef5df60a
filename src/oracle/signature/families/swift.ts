/** Swift: `Main/x.swift:3: Fatal error: message`, in older versions `Fatal error: message: file x.swift, line 3`. */
import type { Family } from '../found.js';

export const swift: Family = ({ text }) => {
  if (!text.includes('atal error')) return undefined;
  const now = /^(\S+\.swift:\d+): ((?:Fatal error|Assertion failed|Precondition failed).*)$/m.exec(text);
  if (now) return { kind: 'swift', line: now[2]!, place: now[1]!, frames: [], depth: 0 };
  const old = /^(?:Fatal error|Assertion failed|Precondition failed)(?:: (.*))?: file (\S+\.swift), line (\d+)/m.exec(
    text,
  );
  return old
    ? { kind: 'swift', line: `Fatal error: ${old[1] ?? ''}`, place: `${old[2]}:${old[3]}`, frames: [], depth: 0 }
    : undefined;
};
