'use strict';
/**
 * Loaded into a Node process by `--require` before anything else: makes every callback of the event loop an event with a
 * name, and runs the events in the order that a schedule says. See docs/schedules.md.
 */
const path = process.env.CULPRIT_SCHEDULE;
if (path !== undefined && !globalThis[Symbol.for('culprit.schedule')]) {
  globalThis[Symbol.for('culprit.schedule')] = true;
  const schedule = JSON.parse(require('node:fs').readFileSync(path, 'utf8'));
  const { isLauncher, processName } = require('./role.cjs');
  if (isLauncher()) require('./children.cjs').nameChildren(processName());
  else require('./install.cjs').install(schedule, processName());
}
