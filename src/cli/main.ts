#!/usr/bin/env node
// The program dq: arguments, streams, exit codes; one file per command.

// Nothing is imported before the version is known: an older Node fails on the imports, with a stack and no reason.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`error: dq needs Node 22.12 or later; this is Node ${process.versions.node}.\n`);
  // Wrong usage, as in judgement/exit-code.ts.
  process.exitCode = 2;
} else {
  const { run } = await import('./run.ts');
  process.exitCode = await run(process.argv.slice(2));
}
