import { Argument, Command } from 'commander';

import type { Shell } from '../completion/completion-script.ts';
import { completionScript, shells } from '../completion/completion-script.ts';
import type { Invocation } from '../invocation.ts';
import { withExamples } from '../invocation.ts';

export function declareCompletion(invocation: Invocation): Command {
  const command = new Command('completion')
    .description('Print a completion script for a shell.')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .action((shell: Shell, _options: object, self: Command) => {
      invocation.terminal.print(completionScript(shell, self.parent ?? self));
    });
  return withExamples(
    command,
    'source <(knative-fleet completion bash)',
    'source <(knative-fleet completion zsh)',
    'knative-fleet completion fish > ~/.config/fish/completions/knative-fleet.fish',
  );
}
