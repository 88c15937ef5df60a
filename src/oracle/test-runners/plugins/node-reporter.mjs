// For node's --test-reporter: writes down how each test ended.
import { createRequire } from 'node:module';

const { fileOf, write, messageOf, numbering } = createRequire(import.meta.url)('./plan.cjs');

export default async function* reporter(events) {
  const number = numbering();
  const titles = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') titles.splice(data.nesting, titles.length, data.name);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name: title, nesting, file: full, details, skip, todo } = data;
    const file = fileOf(full ?? '');
    // A file that could not be loaded is reported as a test of its own name.
    const isFile = nesting === 0 && full && (full === title || full.endsWith(`/${title}`));
    if (isFile && type === 'test:fail') yield `${file}: ${messageOf(details?.error)}\n`;
    if (details?.type === 'suite' || isFile || skip !== undefined || todo !== undefined) continue;
    const name = number(file, [...titles.slice(0, nesting), title].join(' › '));
    const error = details?.error?.cause ?? details?.error;
    if (type === 'test:pass') write({ file, name, state: 'passed' });
    else write({ file, name, state: 'failed', message: messageOf(error) });
  }
}
