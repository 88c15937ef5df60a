import { type Configuration, type Strategy, UserError } from '../core/index.js';
import { ddlin, ddmin, sweep } from '../strategies/index.js';

type ListStrategy = Strategy<unknown, Configuration>;

const makers: Readonly<Record<string, () => ListStrategy>> = {
  sweep: () => sweep() as unknown as ListStrategy,
  ddmin: () => ddmin() as unknown as ListStrategy,
  'ddmin-complements': () => ddmin({ parts: 'complements' }) as unknown as ListStrategy,
  ddlin: () => ddlin() as unknown as ListStrategy,
};

/** The list algorithm that `--strategy` names. */
export function listStrategy(name: string): ListStrategy {
  const make = makers[name];
  if (!make)
    throw new UserError(`There is no strategy called ${name}.`, `There are: ${Object.keys(makers).join(', ')}.`);
  return make();
}
