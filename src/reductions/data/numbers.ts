/** How data writes the numbers that say how long something is. */

/** A number that was read, and how many bytes it takes. */
export interface Read {
  readonly value: number;
  readonly width: number;
}

export interface NumberForm {
  readonly name: string;
  /** How many bytes it takes; 0 if that depends on the number. */
  readonly width: number;
  /** Undefined if no such number begins here. */
  read(data: Uint8Array, at: number): Read | undefined;
  /** Undefined if it does not fit. */
  write(value: number): string | undefined;
}

/** Larger ones are no lengths. */
const largest = 2 ** 31;

const fixed = (width: number, isBig: boolean): NumberForm => ({
  name: width === 1 ? 'byte' : `${width} bytes, ${isBig ? 'big' : 'little'}-endian`,
  width,
  read(data, at) {
    if (at + width > data.length) return undefined;
    let value = 0;
    for (let i = 0; i < width; i++) value = value * 256 + data[at + (isBig ? i : width - 1 - i)]!;
    return value < largest ? { value, width } : undefined;
  },
  write(value) {
    if (value < 0 || value >= 256 ** width) return undefined;
    const bytes = Array.from({ length: width }, (_, i) => Math.floor(value / 256 ** i) % 256);
    return String.fromCharCode(...(isBig ? bytes.reverse() : bytes));
  },
});

/** Seven bits in each byte, the lowest first: WebAssembly, Protocol Buffers, debugging information. */
const sevenBits: NumberForm = {
  name: 'seven bits per byte',
  width: 0,
  read(data, at) {
    let value = 0;
    for (let width = 0; width < 5 && at + width < data.length; width++) {
      const byte = data[at + width]!;
      value += (byte & 0x7f) * 128 ** width;
      if (byte < 0x80) return value < largest ? { value, width: width + 1 } : undefined;
    }
    return undefined;
  },
  write(value) {
    const bytes: number[] = [];
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    return String.fromCharCode(...bytes, rest);
  },
};

/** Up to 127 in one byte; else a byte that says how many bytes follow: certificates and keys (DER). */
const counted: NumberForm = {
  name: 'short or counted',
  width: 0,
  read(data, at) {
    const first = data[at];
    if (first === undefined) return undefined;
    if (first < 0x80) return { value: first, width: 1 };
    const rest = first === 0x81 || first === 0x82 || first === 0x83 ? fixed(first - 0x80, true) : undefined;
    const read = rest?.read(data, at + 1);
    return read && { value: read.value, width: read.width + 1 };
  },
  write(value) {
    if (value < 0x80) return String.fromCharCode(value);
    const width = value < 256 ? 1 : value < 65_536 ? 2 : 3;
    const rest = fixed(width, true).write(value);
    return rest && String.fromCharCode(0x80 + width) + rest;
  },
};

/** The usual ones first. */
export const numberForms: readonly NumberForm[] = [
  fixed(4, true),
  fixed(4, false),
  fixed(2, true),
  fixed(2, false),
  sevenBits,
  counted,
  fixed(3, true),
  fixed(1, true),
];
