/** Opens a page in the user's browser. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** How this system opens a page; `undefined` if there is no screen: a server, CI, a container. */
export function openerFor(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean = existsSync,
): readonly string[] | undefined {
  if (env.CI) return undefined;
  const onPath = (name: string) =>
    (env.PATH ?? '').split(delimiter).some(folder => folder && exists(join(folder, name)));
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  if (platform === 'darwin') return onPath('open') ? ['open'] : undefined;
  if (env.WSL_DISTRO_NAME && onPath('wslview')) return ['wslview'];
  const hasScreen = env.DISPLAY || env.WAYLAND_DISPLAY;
  return hasScreen && onPath('xdg-open') ? ['xdg-open'] : undefined;
}

/** Opens a page or an address in the user's browser. If that fails, it prints the address. */
export async function openPage(target: string, print: (text: string) => void): Promise<boolean> {
  const opener = openerFor(process.platform, process.env);
  const opened = opener !== undefined && (await started([...opener, target]));
  if (!opened) print(`No browser found. The page is ${target}`);
  return opened;
}

function started([program, ...args]: readonly string[]): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn(program!, args, { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
