/** Sends mouse and key events through the browser's own input queue. */
import type { CDPSession } from 'playwright-core';
import { bitsOf, isModifier, keyOf } from '../../sources/recording/keys.js';
import type { Button, Modifier, Step } from '../../sources/recording/recording.js';
import type { PageSession } from './page-session.js';

/** Where input goes: through the browser's own queue, so that the page sees trusted events. */
export interface Receiver {
  readonly tab: PageSession;
  readonly session: CDPSession;
}

const buttons: Readonly<
  Record<Button, readonly [name: 'left' | 'middle' | 'right' | 'back' | 'forward', bit: number]>
> = {
  primary: ['left', 1],
  auxiliary: ['middle', 4],
  secondary: ['right', 2],
  back: ['back', 8],
  forward: ['forward', 16],
};

const heldIn = (to: Receiver, said: readonly Modifier[] | undefined): number => bitsOf(said ?? to.tab.held);

export async function move(to: Receiver, x: number, y: number, modifiers?: readonly Modifier[]): Promise<void> {
  const { pointer } = to.tab;
  // Chromium delivers moves once per frame; a move to the same position would only cost a frame.
  if (pointer.x === x && pointer.y === y) return;
  Object.assign(pointer, { x, y });
  await to.session.send('Input.dispatchMouseEvent', {
    type: 'mouseMoved',
    x,
    y,
    buttons: pointer.buttons,
    button: pointer.buttons & 1 ? 'left' : 'none',
    modifiers: heldIn(to, modifiers),
  });
}

export interface Click {
  readonly button?: Button | undefined;
  /** 2 in the second half of a double click. */
  readonly count: number;
  readonly modifiers?: readonly Modifier[] | undefined;
}

/** Presses a button where the pointer is, or releases it. */
export async function press(to: Receiver, type: 'mousePressed' | 'mouseReleased', click: Click): Promise<void> {
  const { pointer } = to.tab;
  const [button, bit] = buttons[click.button ?? 'primary'];
  if (type === 'mousePressed') pointer.buttons |= bit;
  else pointer.buttons &= ~bit;
  const { x, y } = pointer;
  await to.session.send('Input.dispatchMouseEvent', {
    type,
    x,
    y,
    button,
    buttons: pointer.buttons,
    clickCount: click.count,
    modifiers: heldIn(to, click.modifiers),
  });
}

export async function pressKey(to: Receiver, step: Extract<Step, { type: 'keyDown' | 'keyUp' }>): Promise<void> {
  const { held } = to.tab;
  const { key, code, keyCode, text, location } = keyOf(step.key, step.code);
  const down = step.type === 'keyDown';
  if (isModifier(key)) {
    if (down) held.add(key);
    else held.delete(key);
  }
  const modifiers = heldIn(to, step.modifiers);
  // Alt, Control and Meta turn a key into a shortcut: it types nothing.
  const typed = down && (modifiers & 7) === 0 ? text : undefined;
  await to.session.send('Input.dispatchKeyEvent', {
    type: !down ? 'keyUp' : typed === undefined ? 'rawKeyDown' : 'keyDown',
    key,
    code,
    windowsVirtualKeyCode: keyCode,
    location,
    modifiers,
    ...(typed !== undefined && { text: typed, unmodifiedText: typed }),
  });
}
