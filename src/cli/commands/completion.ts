import { Argument, Command } from '@commander-js/extra-typings';

/** `dq completion`. */
export const create = () =>
  new Command('completion')
    .description('print a script that completes the words of dq in a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText('after', examples)
    .action(async (shell) => {
      if (shell === 'bash') {
        const { bashCompletion } = await import('../bash-completion.ts');
        process.stdout.write(bashCompletion);
        return;
      }
      const { script } = await import('@bomb.sh/tab');
      script(shell, 'dq', 'dq');
    });

const examples = `
Examples:
  $ dq completion bash >> ~/.bashrc
  $ dq completion zsh > "\${fpath[1]}/_dq"
  $ dq completion fish > ~/.config/fish/completions/dq.fish`;
