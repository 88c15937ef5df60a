/** When a run was made, with what, and on which machine: what a bug report needs, and nothing that names a person. */
import { arch, cpus, platform, release, totalmem } from 'node:os';

export interface Made {
  /** ISO 8601, UTC. */
  readonly date: string;
  readonly node: string;
  readonly system: string;
  readonly processor: string;
  readonly memory: string;
}

export const madeNow = (): Made => ({
  date: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  node: process.version,
  system: `${platform()} ${release()} ${arch()}`,
  processor: `${cpus().length} × ${cpus()[0]?.model.trim() || 'unknown processor'}`,
  memory: `${Math.round(totalmem() / 1024 ** 3)} GiB`,
});
