import { expect, test } from 'vitest';
import { type KeyInput, listenForKeys } from '../../src/report/keys.js';

/** A terminal that notes what is done to it. */
function fakeTerminal(isTTY = true) {
  const did: string[] = [];
  let heard: ((data: string) => void) | undefined;
  const input: KeyInput = {
    isTTY,
    setRawMode: raw => did.push(raw ? 'raw' : 'cooked'),
    on: (_, call) => {
      did.push('listen');
      heard = call as never;
    },
    off: () => {
      did.push('deaf');
      heard = undefined;
    },
    resume: () => did.push('read'),
    pause: () => did.push('rest'),
  };
  return { did, input, type: (keys: string) => heard?.(keys) };
}

function surroundings(foreground = true) {
  const raised: string[] = [];
  let continued: (() => void) | undefined;
  const answer = { foreground };
  return {
    raised,
    answer,
    goOn: () => continued?.(),
    around: {
      isForeground: async () => answer.foreground,
      raise: (signal: NodeJS.Signals) => raised.push(signal),
      onContinued: (call: () => void) => {
        continued = call;
        return () => {
          continued = undefined;
        };
      },
    },
  };
}

const settled = () => new Promise(resolve => setImmediate(resolve));

test('Keys are heard, and the terminal is as before when nobody listens any more.', async () => {
  const { did, input, type } = fakeTerminal();
  const keys: string[] = [];
  const stop = listenForKeys(key => keys.push(key), input, surroundings().around);
  await settled();
  type('c');
  type('xy');
  stop();
  stop();
  type('z');
  expect(keys).toEqual(['c', 'x', 'y']);
  expect(did).toEqual(['listen', 'raw', 'read', 'deaf', 'cooked', 'rest']);
});

test('Ctrl-C is the signal that it always is, also as a character.', async () => {
  const { input, type } = fakeTerminal();
  const { raised, around } = surroundings();
  const keys: string[] = [];
  const stop = listenForKeys(key => keys.push(key), input, around);
  await settled();
  type('\x03');
  expect([raised, keys]).toEqual([['SIGINT'], []]);
  stop();
});

test('Ctrl-Z finds the terminal as it was, and after it the keys are heard again.', async () => {
  const { did, input, type } = fakeTerminal();
  const { raised, goOn, around } = surroundings();
  const stop = listenForKeys(() => {}, input, around);
  await settled();
  type('\x1a');
  expect(raised).toEqual(['SIGTSTP']);
  expect(did.at(-1)).toBe('cooked');
  goOn();
  await settled();
  expect(did.slice(-2)).toEqual(['raw', 'read']);
  stop();
});

test('A process in the background does not touch the terminal, and neither does one without a terminal.', async () => {
  const background = fakeTerminal();
  const { around, answer, goOn } = surroundings(false);
  const stop = listenForKeys(() => {}, background.input, around);
  await settled();
  expect(background.did).toEqual([]);
  answer.foreground = true;
  goOn();
  await settled();
  expect(background.did).toContain('raw');
  stop();
  const none = fakeTerminal(false);
  listenForKeys(() => {}, none.input, surroundings().around)();
  await settled();
  expect(none.did).toEqual([]);
});

test('What is stopped before it is known whose the terminal is never touches it.', async () => {
  const { did, input } = fakeTerminal();
  listenForKeys(() => {}, input, surroundings().around)();
  await settled();
  expect(did).toEqual([]);
});
