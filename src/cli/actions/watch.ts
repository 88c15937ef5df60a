import { openWatchdog } from '../../oracle/runner/watchdog.js';

/** Takes a browser's folder away, and what is left of the browser, however this process ends. */
export function watchBrowser(folder: string): () => Promise<void> {
  const watchdog = openWatchdog(folder, [folder]);
  return () => watchdog.close();
}
