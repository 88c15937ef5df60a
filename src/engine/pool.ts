/** Where tests run: this machine, or many machines through a queue. */
import type { Test, Verdict } from '../core/index.js';

/** How many tests can run. */
export interface Room {
  /** How many tests may run at a time now. It may change while a search runs, and never changes the answer. */
  capacity(): number;
  /** Calls back when the capacity has changed. Returns a function that stops it. */
  onCapacityChange(changed: () => void): () => void;
}

export interface Pool<Artifact> extends Room {
  test(artifact: Artifact, signal: AbortSignal): Promise<Verdict>;
}

/**
 * A test that could not be run: a full disk, a lost worker. It says nothing about the artifact, so it is not a verdict: it
 * is repeated, and never remembered.
 */
export class InfrastructureError extends Error {
  override readonly name = 'InfrastructureError';
}

/** Slots on this machine. */
export function localRoom(workers: number | undefined): Room {
  const slots = workers !== undefined && workers >= 1 ? Math.floor(workers) : 1;
  return { capacity: () => slots, onCapacityChange: () => () => {} };
}

/** A test on this machine. */
export const localPool = <Artifact>(workers: number | undefined, test: Test<Artifact>): Pool<Artifact> => ({
  ...localRoom(workers),
  test,
});

/** A test and where it can run: on this machine, on others, or both. */
export const poolIn = <Artifact>(room: Room, test: Test<Artifact>): Pool<Artifact> => ({
  capacity: () => room.capacity(),
  onCapacityChange: changed => room.onCapacityChange(changed),
  test,
});

/** A test that throws is unresolved, because the test is broken. A test that could not be run gives no answer at all. */
export async function judge<Artifact>(
  pool: Pool<Artifact>,
  artifact: Artifact,
  signal: AbortSignal,
): Promise<Verdict | InfrastructureError> {
  try {
    return await pool.test(artifact, signal);
  } catch (error) {
    if (error instanceof InfrastructureError) return error;
    const reason = `the test broke: ${error instanceof Error ? error.message : String(error)}`;
    return { outcome: 'unresolved', reason };
  }
}
