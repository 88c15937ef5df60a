/** Key names and codes. */
import type { Modifier } from './recording.js';

/** What a key event needs in addition to its name, on a US keyboard: recordings name the key, not its position. */
export interface Key {
  readonly key: string;
  readonly code: string;
  readonly keyCode: number;
  /** What the key types, if anything. */
  readonly text?: string;
  readonly location: number;
}

const bits: Readonly<Record<Modifier, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };
export const bitsOf = (modifiers: Iterable<Modifier>): number =>
  [...modifiers].reduce((sum, name) => sum | bits[name], 0);
export const isModifier = (key: string): key is Modifier => key in bits;

/** Name → key code, and `code` if it differs from the name. */
const named: Readonly<Record<string, readonly [keyCode: number, code?: string, text?: string]>> = {
  Backspace: [8],
  Tab: [9],
  Enter: [13, undefined, '\r'],
  Shift: [16, 'ShiftLeft'],
  Control: [17, 'ControlLeft'],
  Alt: [18, 'AltLeft'],
  AltGraph: [225, 'AltRight'],
  Pause: [19],
  CapsLock: [20],
  Escape: [27],
  ' ': [32, 'Space', ' '],
  PageUp: [33],
  PageDown: [34],
  End: [35],
  Home: [36],
  ArrowLeft: [37],
  ArrowUp: [38],
  ArrowRight: [39],
  ArrowDown: [40],
  PrintScreen: [44],
  Insert: [45],
  Delete: [46],
  Meta: [91, 'MetaLeft'],
  ContextMenu: [93],
};

type Sign = readonly [keyCode: number, code: string];
const signs: Readonly<Record<string, Sign>> = Object.fromEntries(
  [
    [';:', 186, 'Semicolon'],
    ['=+', 187, 'Equal'],
    [',<', 188, 'Comma'],
    ['-_', 189, 'Minus'],
    ['.>', 190, 'Period'],
    ['/?', 191, 'Slash'],
    ['`~', 192, 'Backquote'],
    ['[{', 219, 'BracketLeft'],
    ['\\|', 220, 'Backslash'],
    [']}', 221, 'BracketRight'],
    ['\'"', 222, 'Quote'],
    ...[...')!@#$%^&*('].map((sign, digit) => [sign, 48 + digit, `Digit${digit}`] as const),
  ].flatMap(([characters, keyCode, code]) => [...(characters as string)].map(sign => [sign, [keyCode, code] as Sign])),
);

export function keyOf(key: string, code?: string): Key {
  const spelled = key === 'Space' || key === 'Spacebar' ? ' ' : key;
  const [keyCode, usual, text] = lookUp(spelled);
  const place = code ?? usual ?? spelled;
  const location = place.endsWith('Left') && keyCode < 32 ? 1 : place.endsWith('Right') && keyCode < 32 ? 2 : 0;
  return { key: spelled, code: place, keyCode, ...(text !== undefined && { text }), location };
}

function lookUp(key: string): readonly [keyCode: number, code?: string, text?: string] {
  const byName = named[key];
  if (byName) return byName;
  const f = /^F([1-9]|1\d|2[0-4])$/.exec(key);
  if (f) return [111 + Number(f[1]), key];
  if (/^[a-z]$/i.test(key)) return [key.toUpperCase().charCodeAt(0), `Key${key.toUpperCase()}`, key];
  if (/^\d$/.test(key)) return [key.charCodeAt(0), `Digit${key}`, key];
  const sign = signs[key];
  if (sign) return [...sign, key];
  // A character that no US keyboard has: it still types itself. An unknown name types nothing.
  return [...key].length === 1 ? [0, '', key] : [0, key];
}
