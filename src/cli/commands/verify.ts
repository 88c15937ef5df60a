/** The command line of `culprit verify`. */
import { Command } from 'commander';
import { UserError } from '../../core/index.js';
import { jobs } from '../parse.js';

export type Rerun = 'none' | 'result' | 'all' | number;

export interface VerifyOptions {
  readonly rerun?: Rerun | undefined;
  readonly certificate?: string;
  readonly jobs?: number | undefined;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly sandbox?: boolean | undefined;
}

export function verifyCommand(): Command {
  return new Command('verify')
    .description('check that a result is 1-minimal, from what its run recorded or by testing it again')
    .argument('[what]', "a run's folder, a result, or a certificate (default: the newest run in .culprit/)")
    .option('--rerun <what>', 'test again: result, sample=<n> (the result and n of its neighbours), or all', readRerun)
    .option('--certificate <file>', 'if the claim holds, write what is needed to check it elsewhere')
    .option('-j, --jobs <n>', 'how many tests run at a time with --rerun (default: cores)', jobs(1))
    .option('--sandbox', 'run the tests without network and without write access outside their folder')
    .option('--json', 'one line of JSON on stdout')
    .option('--quiet', 'print nothing but what is wrong')
    .addHelpText(
      'after',
      `
Exit code: 0 it holds, 1 it is refuted, 3 part of it could not be checked.

Examples:
  culprit verify .culprit/bug-1
  culprit verify bug.reduced.c --rerun sample=20
  culprit verify .culprit/bug-1 --certificate bug.certificate.json
`,
    )
    .action(async (what: string | undefined, options: VerifyOptions) => {
      const { verify } = await import('../verify.js');
      await verify(what, options);
    });
}

function readRerun(value: string): Rerun {
  if (value === 'result' || value === 'all') return value;
  const [, count] = /^sample=(\d{1,9})$/.exec(value) ?? [];
  if (count === undefined || Number(count) === 0)
    throw new UserError(
      `--rerun ${value} is not something that can be tested again.`,
      'There are: result, sample=<n>, all. For example: --rerun sample=20.',
    );
  return Number(count);
}
