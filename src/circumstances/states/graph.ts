/** The memory of a paused program as a graph with identity, in the same form for every language that can be watched. */

/**
 * A value in a variable or a field. `r`: a reference to a node; `u`: a value that JSON cannot express (`undefined`, `NaN`,
 * `12n`, `0x7f`); `o`: opaque, something that can be seen but not recreated.
 */
export type Value =
  | string
  | number
  | boolean
  | null
  | readonly ['r', number]
  | readonly ['u', string]
  | readonly ['o', string];

export interface Node {
  /** `known` exists before the program starts; `code` is a function, a class or a module; `opaque` can't be inspected. */
  readonly k: 'object' | 'list' | 'map' | 'set' | 'bytes' | 'value' | 'code' | 'known' | 'opaque';
  /** Its class, or the name of a `known` node. */
  readonly c?: string;
  /** Its prototype, or whatever else it must have in common with others of its kind. */
  readonly p?: Value;
  /** What people see, if that is not its content. */
  readonly t?: string;
  /** Its content as text, if it is compared as text. */
  readonly x?: string;
  /** It can't be changed in place: it has to be replaced. */
  readonly fixed?: boolean;
  /** Elements of a list, members of a set. */
  readonly a?: readonly Value[];
  /** Entries of a map. */
  readonly m?: readonly (readonly [Value, Value])[];
  /** Fields. */
  readonly e?: readonly (readonly [string, Value])[];
}

/** A variable of a frame. Frame 0 is the innermost one. */
export interface Root {
  readonly frame: number;
  readonly scope: number;
  readonly name: string;
  /** It belongs to a function or module around the frame's own. */
  readonly outer?: boolean;
}

export interface Frame {
  readonly frame: number;
  readonly function: string;
  readonly path: string;
  readonly line: number;
}

export interface State {
  readonly frames: readonly Frame[];
  readonly roots: readonly (Root & { readonly value: Value })[];
  readonly nodes: readonly Node[];
  /** Only a part was captured. */
  readonly truncated?: boolean;
}

/** A field or element by its key; `k`, `v` and `s`: the key or value of the n-th entry of a map, the n-th member of a set. */
export type Step = string | readonly ['k' | 'v' | 's', number];

/** How to get to a value in the passing run. */
export interface Path {
  readonly root: Root;
  readonly steps: readonly Step[];
}

/** One change of the passing state in place. Its values refer to nodes of the failing state. */
export type Change =
  | { readonly do: 'set'; readonly at: Path; readonly value: Value }
  | { readonly do: 'delete'; readonly at: Path }
  | { readonly do: 'insert'; readonly at: Path; readonly key: Value; readonly value: Value }
  /** Keeps the first `from` elements of a list, then adds these. */
  | { readonly do: 'list'; readonly at: Path; readonly from: number; readonly values: readonly Value[] }
  | { readonly do: 'members'; readonly at: Path; readonly values: readonly Value[] }
  | { readonly do: 'entries'; readonly at: Path; readonly entries: readonly (readonly [Value, Value])[] }
  | { readonly do: 'content'; readonly at: Path; readonly x: string };

export const isReference = (value: Value | undefined): value is readonly ['r', number] =>
  Array.isArray(value) && value[0] === 'r';

export const isOpaque = (value: Value | undefined): value is readonly ['o', string] =>
  Array.isArray(value) && value[0] === 'o';

/** Two values that are not references. */
export const isSamePrimitive = (a: Value, b: Value): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a[0] === b[0] && a[1] === b[1] : a === b;
