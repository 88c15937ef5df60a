/** Recorded HTTP exchanges as deltas. */
import { type Circumstance, has } from '../../core/index.js';
import { type Har, withExchanges } from '../../sources/har/har.js';
import { shownExchange } from '../../sources/har/show.js';

/** Each recorded exchange is a delta; order is kept. */
export function exchangesOf(har: Har): Circumstance<Har> {
  const { entries } = har.log;
  return {
    name: 'exchange',
    count: entries.length,
    build: configuration =>
      withExchanges(
        har,
        entries.filter((_, delta) => has(configuration, delta)),
      ),
    describe: delta => shownExchange(entries[delta]!),
  };
}
