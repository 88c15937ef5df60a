/** The workers of one run as the client knows them: who said hello, who passed the parity test, who is still there. */

import { createPublicKey, type KeyObject } from 'node:crypto';
import { counted } from '../core/phrases.js';
import type { Attempt } from '../oracle/command/attempt.js';
import { fingerprint } from './keys.js';
import { type Down, protocol, read, readAttempt, type Up, unseal } from './messages.js';
import type { Shared } from './shared.js';

/** Milliseconds without a sign of life after which a worker is lost. It may come back. */
const silence = 5_000;
/** Milliseconds in which a worker that repeats its hello gets only one reply. */
const replyTime = 1_000;

interface Member {
  readonly name: string;
  readonly key: string;
  readonly slots: number;
  state: 'asked' | 'working' | 'lost' | 'refused';
  seen: number;
  running: readonly string[];
}

export interface RosterOptions {
  tell(message: Omit<Down, 'run'>): void;
  /** What a worker needs to begin; `undefined` if it is too early. `missing`: blobs that it did not find. */
  setup(missing: readonly string[]): Promise<Pick<Down, 'setup' | 'probe'> | undefined>;
  /** Whether a worker's attempt at the original means the same as here. */
  isSame(attempt: Attempt): Promise<boolean>;
  /** These orders were with a worker that is lost. */
  lost(orders: readonly string[]): void;
}

export function openRoster(shared: Shared, run: string, { tell, setup, isSame, lost }: RosterOptions) {
  const members = new Map<string, Member>();
  const keys = new Map<string, KeyObject>();
  let waiting: (() => void)[] = [];

  const count = (): number => {
    let working = 0;
    for (const { state } of members.values()) if (state === 'working') working++;
    return working;
  };
  const set = (id: string, member: Member, state: Member['state']): void => {
    const [was, isNow] = [member.state === 'working', state === 'working'];
    member.state = state;
    if (was === isNow) return;
    if (isNow) shared.slots.set(id, member.slots);
    else shared.slots.delete(id);
    const running = member.running;
    if (!isNow) member.running = [];
    shared.changed();
    if (!isNow) lost(running);
    else for (const resolve of waiting.splice(0)) resolve();
  };

  const turnAway = (id: string, name: string, reason: string): void => {
    shared.sayOnce(`${name} does not take part: ${reason}.`);
    tell({ kind: 'ban', to: id, reason });
  };

  const replied = new Map<string, number>();
  const hello = async (id: string, key: string, message: Up): Promise<void> => {
    const { name = id, slots = 1, version, nonce, missing = [] } = message;
    if (Date.now() - (replied.get(id) ?? 0) < replyTime) return;
    if (shared.banned.has(id)) return turnAway(id, name, 'it gave wrong answers');
    if (message.protocol !== protocol || version !== shared.options.version)
      return turnAway(id, name, `it has culprit ${version ?? '?'}, and this is ${shared.options.version}`);
    const { trusted } = shared.options;
    if (trusted && !trusted.has(key)) return turnAway(id, name, 'its key is not trusted (--trust-workers)');
    const offered = await setup(missing);
    if (!offered || nonce === undefined) return;
    replied.set(id, Date.now());
    const before = members.get(id);
    if (before) set(id, before, 'lost');
    members.set(id, { name, key, slots: Math.max(1, slots), state: 'asked', seen: Date.now(), running: [] });
    tell({ kind: 'setup', to: id, nonce, ...offered });
  };

  const ready = async (id: string, member: Member, { attempt }: Up): Promise<void> => {
    if (member.state !== 'asked' || !attempt) return;
    const same = await isSame(readAttempt(attempt)).catch(() => undefined);
    if (same === undefined || member.state !== 'asked') return;
    if (!same) {
      set(id, member, 'refused');
      return turnAway(id, member.name, 'the original gives another result there');
    }
    member.seen = Date.now();
    shared.host.say(`${member.name} joined with ${counted(member.slots, 'slot')}.`);
    tell({ kind: 'welcome', to: id });
    set(id, member, 'working');
  };

  return {
    count,
    keyOf: (id: string): KeyObject | undefined => keys.get(id),
    isKeyOf: (worker: string, key: string): boolean => members.get(worker)?.key === key,
    nameOf: (worker: string): string => members.get(worker)?.name ?? 'a worker',
    /** A worker that seemed lost may still answer. */
    takesPart: (worker: string): boolean => /^(working|lost)$/.test(members.get(worker)?.state ?? ''),

    async hear(text: string): Promise<void> {
      const sealed = unseal(text, (key, body) => keys.get(key) ?? introduced(key, body));
      const message = sealed && read.up(sealed.body);
      if (!sealed || !message || message.run !== run) return;
      const { worker: id } = message;
      if (message.kind === 'hello') {
        const key = introduced(sealed.key, sealed.body);
        if (key) keys.set(sealed.key, key);
        return hello(id, sealed.key, message);
      }
      const member = members.get(id);
      if (member?.key !== sealed.key) return;
      member.seen = Date.now();
      if (message.kind === 'ready') return ready(id, member, message);
      if (message.kind === 'refuse') {
        set(id, member, 'refused');
        shared.sayOnce(`${member.name} does not take part: ${message.reason ?? 'no reason given'}.`);
      }
      if (message.kind === 'beat') {
        member.running = message.running ?? [];
        if (member.state === 'lost') set(id, member, 'working');
      }
      if (message.kind === 'bye') set(id, member, 'refused');
    },

    check(): void {
      for (const [id, member] of members)
        if (member.state === 'working' && Date.now() - member.seen > silence) {
          shared.host.say(`${member.name} does not answer: its orders are sent again.`);
          set(id, member, 'lost');
        }
    },

    ban(id: string, reason: string): void {
      shared.banned.add(id);
      const member = members.get(id);
      if (member) set(id, member, 'refused');
      tell({ kind: 'ban', to: id, reason });
    },

    loseAll(): void {
      for (const [id, member] of members) if (member.state === 'working') set(id, member, 'lost');
    },

    /** Waits for a worker. */
    joined(signal: AbortSignal): Promise<void> {
      return new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
        waiting = [
          ...waiting,
          () => {
            signal.removeEventListener('abort', stop);
            resolve();
          },
        ];
      });
    },
  };
}

/** The key in a hello, if it is the one that signed it. */
function introduced(key: string, body: string): KeyObject | undefined {
  const message = read.up(body);
  if (message?.kind !== 'hello' || message.publicKey === undefined) return undefined;
  try {
    const found = createPublicKey({ key: Buffer.from(message.publicKey, 'base64'), format: 'der', type: 'spki' });
    return fingerprint(found) === key ? found : undefined;
  } catch {
    return undefined;
  }
}
