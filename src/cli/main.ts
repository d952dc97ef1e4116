#!/usr/bin/env node
/** Runs a command; its exit code is that of the process. */
type Command = (args: readonly string[]) => Promise<number>;

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
};

const wrongUsage = 2;

const usage = `Usage: dq <command>

  serve <folder>   serve the files of a folder over the REST interface, on this machine
`;

async function main([name, ...args]: readonly string[]): Promise<number> {
  const load = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load !== undefined) return (await load())(args);
  const asked = name === '--help' || name === '-h';
  (asked ? process.stdout : process.stderr).write(
    asked || name === undefined ? usage : `dq: there is no command ${name}\n\n${usage}`,
  );
  return asked ? 0 : wrongUsage;
}

process.exitCode = await main(process.argv.slice(2));
