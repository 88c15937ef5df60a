/** Free ports, and waiting until a server listens. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const taken = new Set<number>();

/** A free port that this process has not given to another candidate. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await new Promise<number>((resolve, reject) => {
      const server = createServer().once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
      });
    });
    if (taken.has(port)) continue;
    taken.add(port);
    return port;
  }
}

export const releasePort = (port: number): void => void taken.delete(port);

/** Waits until something accepts connections; false if `gone` says that nothing will, or if the time is up. */
export async function waitForPort(
  host: string,
  port: number,
  gone: () => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  for (let pause = 4; !gone() && !signal.aborted; pause = Math.min(pause * 1.2, 25)) {
    if (await accepts(host, port)) return true;
    await wait(pause);
  }
  return false;
}

export const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host, port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** Where a process listens instead (Linux only), for the error message if it does not listen where it should. */
export function portsOf(pid: number): readonly number[] {
  try {
    const sockets = new Set(
      readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
        try {
          return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? ''];
        } catch {
          return [];
        }
      }),
    );
    const rows = ['tcp', 'tcp6'].flatMap(name => readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n').slice(1));
    const fields = rows.map(row => row.trim().split(/\s+/));
    const listens = fields.filter(field => field[3] === '0A' && sockets.has(field[9] ?? ''));
    return [...new Set(listens.map(field => Number.parseInt(field[1]!.split(':')[1]!, 16)))];
  } catch {
    return [];
  }
}
