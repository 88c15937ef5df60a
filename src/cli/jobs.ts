/** Every job by the name of its command. A job's code is loaded on demand. */
import { UserError } from '../core/index.js';
import type { JobMaker } from '../plans/job.js';

const makers: Readonly<Record<string, () => Promise<JobMaker>>> = {
  reduce: async () => (await import('../plans/reduce/job.js')).reduceJob as JobMaker,
  isolate: async () => (await import('../plans/isolate/job.js')).isolateJob as JobMaker,
  states: async () => (await import('../plans/states/job.js')).statesJob as JobMaker,
  changes: async () => (await import('../plans/changes/job.js')).changesJob as JobMaker,
  options: async () => (await import('../plans/options/job.js')).optionsJob as JobMaker,
  env: async () => (await import('../plans/environment/job.js')).envJob as JobMaker,
  actions: async () => (await import('../plans/actions/job.js')).actionsJob as JobMaker,
  tests: async () => (await import('../plans/tests/job.js')).testsJob as JobMaker,
  traffic: async () => (await import('../plans/traffic/job.js')).trafficJob as JobMaker,
  triage: async () => (await import('../plans/triage/job.js')).triageJob as JobMaker,
  schedules: async () => (await import('../plans/schedules/job.js')).schedulesJob as JobMaker,
};

export const jobNamed =
  (name: string): JobMaker =>
  async (request, resumed) => {
    const load = Object.hasOwn(makers, name) ? makers[name] : undefined;
    if (!load)
      throw new UserError(`There is no job called ${name}.`, `The jobs are: ${Object.keys(makers).join(', ')}.`);
    return (await load())(request, resumed);
  };
