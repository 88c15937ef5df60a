/** Reads single keys from the terminal during a run, and restores the terminal afterwards. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The part of process.stdin that is needed. */
export interface KeyInput {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  on(event: 'data', heard: (data: Buffer | string) => void): unknown;
  off(event: 'data', heard: (data: Buffer | string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
  unref?(): unknown;
}

export interface KeySurroundings {
  /** Whether this process may use the terminal now: the system stops a background process that touches it. */
  readonly isForeground: () => Promise<boolean>;
  /** Sends a signal to this process. */
  readonly raise: (signal: NodeJS.Signals) => void;
  readonly onContinued: (call: () => void) => () => void;
}

/** With raw input, the terminal sends these as characters and not as signals. */
const signals: Readonly<Record<string, NodeJS.Signals>> = { '\x03': 'SIGINT', '\x1c': 'SIGQUIT', '\x1a': 'SIGTSTP' };

/** Calls back with each key until the returned function is called. Ctrl-C, Ctrl-Z and Ctrl-\ still work as usual. */
export function listenForKeys(
  press: (key: string) => void,
  input: KeyInput = process.stdin,
  surroundings: KeySurroundings = ofThisProcess,
): () => void {
  if (!input.isTTY || !input.setRawMode) return () => {};
  let isRaw = false;
  let isListening = false;
  let isClosed = false;
  const setRaw = (raw: boolean) => {
    if (raw === isRaw) return;
    isRaw = raw;
    try {
      input.setRawMode!(raw);
    } catch {
      // The terminal is gone.
    }
  };
  const heard = (data: Buffer | string) => {
    for (const key of data.toString()) {
      const signal = signals[key];
      if (signal === undefined) press(key);
      else {
        // Whatever the signal does, the terminal is restored before it.
        if (signal !== 'SIGINT') setRaw(false);
        surroundings.raise(signal);
      }
    }
  };
  const begin = () => {
    void surroundings.isForeground().then(foreground => {
      if (!foreground || isClosed) return;
      // Only now: a listener starts to read, and a background process must not.
      if (!isListening) input.on('data', heard);
      isListening = true;
      setRaw(true);
      input.resume();
      input.unref?.();
    });
  };
  const forget = surroundings.onContinued(begin);
  begin();
  return () => {
    if (isClosed) return;
    isClosed = true;
    forget();
    if (!isListening) return;
    input.off('data', heard);
    setRaw(false);
    input.pause();
  };
}

const ofThisProcess: KeySurroundings = {
  isForeground,
  raise: signal => void process.kill(process.pid, signal),
  onContinued(call) {
    if (process.platform === 'win32') return () => {};
    process.on('SIGCONT', call);
    return () => void process.off('SIGCONT', call);
  },
};

/** The process group of the terminal is ours. */
async function isForeground(): Promise<boolean> {
  if (process.platform === 'win32') return true;
  try {
    if (process.platform === 'linux') {
      // After the name, which may contain anything: state, parent, group, session, terminal, group of the terminal.
      const [, rest = ''] = /\)\s+(.*)$/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
      const [, , group, , , foreground] = rest.split(' ');
      return group !== undefined && group === foreground;
    }
    const reply = await new Promise<string>((resolve, reject) =>
      execFile('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], (error, out) =>
        error ? reject(error) : resolve(out),
      ),
    );
    const [group, foreground] = reply.trim().split(/\s+/);
    return group !== undefined && group === foreground;
  } catch {
    return false;
  }
}
