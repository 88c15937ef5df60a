/**
 * Lets many tests run side by side, and one alone if it must: a test that timed out next to others is run again alone
 * before it counts, or else the load of the machine would change the answer.
 */
export class ExclusiveLock {
  #inside = 0;
  #alone = false;
  readonly #waiting: { readonly alone: boolean; readonly enter: () => void }[] = [];
  /** Counts every entry, so that a test knows whether it ever ran next to another. */
  #entries = 0;

  /** Runs it next to others, and once more alone if that may have changed its result. */
  async share<Result>(run: () => Promise<Result>, isDoubtful: (result: Result) => boolean): Promise<Result> {
    const { result, inCompany } = await this.#run(run, false);
    return inCompany && isDoubtful(result) ? (await this.#run(run, true)).result : result;
  }

  async #run<Result>(run: () => Promise<Result>, alone: boolean): Promise<{ result: Result; inCompany: boolean }> {
    await this.#enter(alone);
    const entries = this.#entries;
    const isFirst = this.#inside === 1;
    try {
      const result = await run();
      return { result, inCompany: !isFirst || this.#entries > entries };
    } finally {
      this.#leave();
    }
  }

  async #enter(alone: boolean): Promise<void> {
    if (this.#waiting.length > 0 || !this.#free(alone))
      await new Promise<void>(enter => this.#waiting.push({ alone, enter }));
    else this.#take(alone);
  }

  #leave(): void {
    this.#inside--;
    this.#alone = false;
    for (let next = this.#waiting[0]; next && this.#free(next.alone); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#take(next.alone);
      next.enter();
    }
  }

  #free(alone: boolean): boolean {
    return !this.#alone && (!alone || this.#inside === 0);
  }

  #take(alone: boolean): void {
    this.#inside++;
    this.#entries++;
    this.#alone = alone;
  }
}
