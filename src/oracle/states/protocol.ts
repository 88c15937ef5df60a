/** What culprit asks of a program that it watches, and what it gets back: JSON files in a folder, the same for every language. */
import type { Transplant } from '../../circumstances/states/circumstance.js';
import type { State } from '../../circumstances/states/graph.js';

/** A statement. Lines and columns count from 1. */
export interface Location {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly function: string;
}

/** The n-th time (from 0) that a run reaches a location. */
export interface Stop {
  /** An index into the list of locations. */
  readonly location: number;
  readonly hit: number;
}

export type Request =
  /** Run as usual, and report which statements ran. */
  | { readonly kind: 'look' }
  /** Report in which order these statements ran. */
  | { readonly kind: 'trace'; readonly process: number; readonly locations: readonly Location[] }
  /** Stop at these places, and report what is in memory. */
  | {
      readonly kind: 'capture';
      readonly process: number;
      readonly locations: readonly Location[];
      readonly places: readonly Stop[];
    }
  /** Stop at a place, change what is in memory, and continue. */
  | ({
      readonly kind: 'apply';
      readonly process: number;
      readonly locations: readonly Location[];
      readonly places: readonly Stop[];
    } & Omit<Transplant, 'key'>);

/** A source file of which some code ran. */
export interface Ran {
  readonly path: string;
  /** The length of its longest line. */
  readonly longest: number;
  readonly statements: readonly (readonly [line: number, column: number, count: number, function_: string])[];
}

/** What a run reports. */
export interface Reply {
  /** One list for each process that was watched, by its number. */
  readonly looks: ReadonlyMap<number, readonly Ran[]>;
  /** Location and stack depth, alternating. */
  readonly trace: Int32Array;
  /** By the index of the place in the request. */
  readonly states: ReadonlyMap<number, State>;
  readonly applied: boolean;
  /** What went wrong in the debugger. */
  readonly trouble?: string;
}
