import { Argument, Command } from '@commander-js/extra-typings';

/** `dq completion`. */
export const create = () =>
  new Command('completion')
    .description('print a script that completes the words of dq in a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText('after', examples)
    .action(async (shell) => {
      process.stdout.write(await scripts[shell]());
    });

const scripts = {
  bash: async () => (await import('../bash-completion.ts')).bashCompletion,
  zsh: async () => (await import('../zsh-completion.ts')).zshCompletion,
  fish: async () => (await import('../fish-completion.ts')).fishCompletion,
};

const examples = `
Examples:
  $ dq completion bash >> ~/.bashrc
  $ dq completion zsh > "\${fpath[1]}/_dq"
  $ dq completion fish > ~/.config/fish/completions/dq.fish`;
