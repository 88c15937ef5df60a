/** A worker's numbers for Prometheus. */
import { createServer } from 'node:http';
import { UserError } from '../core/index.js';
import type { Assignment, Tally } from './assignment.js';
import type { Slots } from './slots.js';

export interface Measured {
  readonly tally: Tally;
  readonly slots: Slots;
  readonly assignments: ReadonlyMap<string, Assignment>;
}

/** The text format of Prometheus, version 0.0.4. */
export function metricsText({ tally, slots, assignments: duties }: Measured): string {
  const rows = [
    ['slots', 'gauge', 'Tests that may run at a time.', slots.count],
    ['slots_busy', 'gauge', 'Tests that are running.', slots.busy],
    ['runs', 'gauge', 'Runs that this worker takes part in.', duties.size],
    ['tests_total', 'counter', 'Tests that finished.', tally.tests],
    ['test_seconds_total', 'counter', 'Seconds that these tests took.', tally.seconds],
    [
      'tests_cancelled_total',
      'counter',
      'Tests that were abandoned because nobody needed them any more.',
      tally.cancelled,
    ],
    ['refused_total', 'counter', 'Runs and orders that were refused.', tally.refused],
    ['forged_total', 'counter', 'Messages with a wrong signature.', tally.forged],
  ] as const;
  return rows
    .map(([name, type, help, value]) => {
      const full = `culprit_worker_${name}`;
      return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full} ${value}\n`;
    })
    .join('');
}

export async function serveMetrics(port: number, measured: Measured): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const isFound = request.method === 'GET' && request.url === '/metrics';
    response.writeHead(isFound ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(isFound ? metricsText(measured) : 'There is only /metrics.\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new UserError(
          `The metrics can't be served on port ${port}: ${error.code ?? error.message}.`,
          'Choose another port: --metrics 9464.',
        ),
      ),
    );
    server.listen(port, resolve);
  });
  server.unref();
  return {
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
