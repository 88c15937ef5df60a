/**
 * Searches with a test that lies at fixed rates, with fixed seeds: exact results in % / runs on average. 400 deltas, 8 needed; .9/.1:
 * the failure shows in 90 % of all runs if it is there, and in 10 % if it is not. Argument: seeds.
 */
import { noises, policies, searches } from '../test/quality/flaky-search.js';

const seeds = Number(process.argv[2] ?? 200);
const cells = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
const shown = (rate: number) => String(rate).replace(/^0\./, '.');

for (const strategy of ['sweep', 'dd'] as const) {
  console.log(`\n${strategy}, ${seeds} searches each\n`);
  console.log(cells(['policy', ...noises.map(({ q, p }) => `${shown(q)}/${shown(p)}`)]));
  console.log(cells(['---', ...noises.map(() => '---')]));
  for (const policy of policies) {
    const rows = noises.map(noise => searches(strategy, policy, noise, seeds));
    console.log(cells([policy, ...rows.map(({ exact, runs }) => `${(exact * 100).toFixed(1)}/${Math.round(runs)}`)]));
  }
}
