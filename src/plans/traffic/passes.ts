/** The passes of `traffic`: whole exchanges first, then their parts. */
import { exchangesOf } from '../../circumstances/traffic/exchanges.js';
import { fieldsOf } from '../../circumstances/traffic/fields.js';
import type { Configuration, Strategy } from '../../core/index.js';
import type { Har } from '../../sources/har/har.js';
import { hdd, sweep } from '../../strategies/index.js';
import type { Pass } from '../pass.js';

/**
 * Whole exchanges first, then what is in those that remain: headers, cookies, query parameters and bodies, level by level.
 * `side`: the requests that are sent, or the responses that are served.
 */
export function trafficPasses(side: 'request' | 'response'): readonly Pass<Har>[] {
  return [
    { name: 'exchanges', proves: 'exchange', stable: true, over: exchangesOf },
    {
      name: 'fields',
      proves: 'field',
      over(har) {
        const fields = fieldsOf(har, side);
        return fields.count === 0 ? undefined : fields;
      },
      strategy: (fields, thorough) =>
        hdd({
          parents: fields.parents ?? [],
          list: sweep({ prove: thorough }),
          fixpoint: thorough,
        }) as unknown as Strategy<unknown, Configuration>,
    },
  ];
}
