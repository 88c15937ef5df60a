/** The command line of `culprit explain`. */
import { Command, Option } from 'commander';
import { examples } from '../explain/examples.js';
import { type ExplainOptions, explain, explainable } from '../explain/explain.js';
import { collect, number } from '../parse.js';

export function explainCommand(): Command {
  return new Command('explain')
    .description('show the steps of an algorithm as a table, as in the papers')
    .argument('[algorithm]', explainable())
    .option('--example <name>', `an example from the papers: ${Object.keys(examples).join(', ')}`)
    .optionsGroup('The failure:')
    .option('--deltas <n>', 'number of deltas (default: 8)', number('--deltas'))
    .option('--from <n>', 'number of the first delta (default: 1)', number('--from', { least: 0 }))
    .option('--fails <list>', 'the failure needs all of these, for example 1,7,8')
    .option('--or <list>', 'or all of these: another cause (repeatable)', collect)
    .option('--needs <a:b>', 'a without b is unresolved (repeatable)', collect)
    .option('--together <list>', 'unresolved unless all or none of these are present (repeatable)', collect)
    .option('--required <list>', 'unresolved unless all of these are present')
    .addOption(
      new Option('--partly <outcome>', 'the outcome if only some of --fails are present').choices([
        'pass',
        'unresolved',
      ]),
    )
    .optionsGroup('The algorithm:')
    .option('--suspects <list>', 'add, guess: the suspected deltas')
    .addOption(new Option('--choose <which>', 'which failing part to continue with').choices(['first', 'smallest']))
    .addOption(
      new Option('--round <which>', 'end a round at its first failure, or complete it').choices(['first', 'complete']),
    )
    .option('--restart', 'go back to n = 2 after a failing complement, instead of n - 1')
    .option('--larger-first', 'test the larger parts first')
    .option('--complements-of-two', 'also test the complements at n = 2')
    .option('--half', 'stop when 2n reaches the number of deltas')
    .option('--fixpoint', 'hdd: repeat until nothing changes')
    .option('--lanes <n>', 'sweep: how many parts of the list to search in parallel', number('--lanes'))
    .option('--limit <n>', 'marco: how many causes, and ways to avoid them, are enough', number('--limit'))
    .optionsGroup('Output:')
    .option('--markdown', 'print a Markdown table')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  culprit explain ddmin --deltas 8 --fails 1,7,8 --partly unresolved\n  culprit explain --example sheet-dd\n  culprit explain marco --fails 3 --or 5,6\n',
    )
    .action((algorithm: string | undefined, options: ExplainOptions) => {
      process.stdout.write(`${explain(algorithm, options)}\n`);
    });
}
