/** Measures how often a result fails, and goes back to an older one if it fails too rarely. */
import { type Hypotheses, holdsRate, type Seen } from '../../core/sequential.js';
import { describeRate } from './rates.js';

export interface Settled<Best> {
  readonly best: Best;
  readonly how: 'held' | 'went back' | 'faded';
  readonly seen: Seen;
  readonly sentence: string;
}

/** `history`: the accepted results, the newest last. `rateOf`: measures one of them in runs that have not decided anything before. */
export async function settle<Best>(
  history: readonly Best[],
  hypotheses: Hypotheses,
  rateOf: (best: Best) => Promise<Seen>,
): Promise<Settled<Best>> {
  const rates = new Map<number, Seen>();
  const rateAt = async (at: number): Promise<Seen> => {
    const seen = rates.get(at) ?? (await rateOf(history[at]!));
    rates.set(at, seen);
    return seen;
  };
  const newest = history.length - 1;
  const at = await newestThatHolds(newest, async each => holdsRate(hypotheses, await rateAt(each)));
  const seen = await rateAt(at ?? newest);
  const how = at === newest ? 'held' : at === undefined ? 'faded' : 'went back';
  const lost = `The smallest result fails in only ${describeRate(await rateAt(newest))}.`;
  const sentence = {
    held: `The result fails in ${describeRate(seen)}.`,
    'went back': `${lost} This is the newest one that fails as often as it should: in ${describeRate(seen)}. It is not proven minimal.`,
    faded: `${lost} No older one fails more often: nothing is proven.`,
  }[how];
  return { best: history[at ?? newest]!, how, seen, sentence };
}

/** The newest that holds: found in growing steps back, then by halving. */
async function newestThatHolds(newest: number, holds: (at: number) => Promise<boolean>): Promise<number | undefined> {
  if (await holds(newest)) return newest;
  let [bad, good] = [newest, -1];
  for (let step = 1; good < 0 && bad > 0; step *= 2) {
    const at = Math.max(0, newest - step);
    if (await holds(at)) good = at;
    else bad = at;
  }
  if (good < 0) return undefined;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (await holds(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
