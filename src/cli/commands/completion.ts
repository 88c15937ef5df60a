/** `culprit completion`: prints a script that completes commands and options in a shell. */
import { Argument, Command } from 'commander';
import { bashCompletion } from '../completion/bash.js';
import { fishCompletion } from '../completion/fish.js';
import { type CommandShape, shapesOf } from '../completion/shape.js';
import { zshCompletion } from '../completion/zsh.js';

const shells: Readonly<Record<string, (commands: readonly CommandShape[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export function completionCommand(): Command {
  const command = new Command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(shells)));
  return command
    .addHelpText(
      'after',
      `
Examples:
  echo 'eval "$(culprit completion bash)"' >> ~/.bashrc
  echo 'eval "$(culprit completion zsh)"' >> ~/.zshrc
  culprit completion fish > ~/.config/fish/completions/culprit.fish
`,
    )
    .action((shell: string) => void process.stdout.write(shells[shell]!(shapesOf(command.parent!))));
}
