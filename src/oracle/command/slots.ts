/** The workspaces that are free. */

/** Each slot is one workspace, and has one user at a time; whoever comes when none is free waits in line. */
export class Slots {
  readonly #free: number[];
  readonly #waiting: ((slot: number) => void)[] = [];

  constructor(count: number) {
    this.#free = Array.from({ length: count }, (_, slot) => slot);
  }

  take(): Promise<number> | number {
    return this.#free.shift() ?? new Promise(resolve => this.#waiting.push(resolve));
  }

  give(slot: number): void {
    const next = this.#waiting.shift();
    if (next) next(slot);
    else this.#free.push(slot);
  }
}
