'use strict';
/** Records which event ran when and which overtook which, line by line, so that nothing is lost if the program is killed. */
const { appendFileSync } = require('node:fs');

const silent = { ran() {}, overtaken() {}, note() {} };

function openTrace(path, processName) {
  if (path === undefined) return silent;
  const append = appendFileSync;
  const write = line => append(path, `${JSON.stringify(line)}\n`);
  write({ process: processName, argv: process.argv, node: process.version });
  const traced = new Set();
  const describe = event => {
    if (traced.has(event.id)) return;
    traced.add(event.id);
    const { id, kind, call, nth, place, parent, stack } = event;
    write({ event: id, kind, call, nth, place, parent, stack });
  };
  return {
    ran(event, at) {
      describe(event);
      write({ ran: event.id, at: Math.round(at * 1000) / 1000 });
    },
    overtaken(late, by) {
      describe(late);
      describe(by);
      write({ late: late.id, by: by.id });
    },
    note: text => write({ note: text }),
  };
}

module.exports = { openTrace };
