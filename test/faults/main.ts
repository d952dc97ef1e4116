/**
 * `npm run test:faults`: attacks the package for ten minutes, prints how many cases of which kind were played, and
 * ends with exit code 1 if a promise was broken.
 *
 * `--seconds N` takes another time, `--seed N` repeats a run, names of instruments play those alone; with one of them,
 * `--first N --cases 1` repeats a case.
 */
import { parseArgs } from 'node:util';

import { type Findings, play } from './instrument.ts';
import { instruments } from './instruments.ts';

/** Most problems that are printed of one instrument. */
const mostPrinted = 20;

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    seconds: { type: 'string', default: '600' },
    first: { type: 'string', default: '0' },
    cases: { type: 'string', default: 'Infinity' },
  },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(instruments);
const seed = Number(values.seed);
const ms = (Number(values.seconds) * 1000) / names.length;

console.log(
  `npm run test:faults -- --seed ${seed} --seconds ${values.seconds} ${positionals.join(' ')}`.trim(),
);
let broken = 0;
for (const name of names) {
  const instrument = instruments[name];
  if (instrument === undefined) {
    throw new Error(`Unknown instrument ${name}. There are: ${Object.keys(instruments).join(', ')}`);
  }
  const plan = { seed, first: Number(values.first), cases: Number(values.cases), ms };
  const findings = await play(instrument, plan);
  broken += findings.problems.length;
  print(name, findings);
}
console.log(broken === 0 ? '\nEvery promise was kept.' : `\n${broken} broken promises.`);
process.exitCode = broken === 0 ? 0 : 1;

function print(name: string, { counts, problems, facts, skipped }: Findings): void {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `\n${name}: ${skipped === undefined ? `${total} cases, ${problems.length} problems` : `skipped, ${skipped}`}`,
  );
  const kinds = [...counts].toSorted(([one], [other]) => one.localeCompare(other));
  for (const [kind, count] of [...kinds, ...Object.entries(facts)]) {
    console.log(`  ${String(count).padStart(7)}  ${kind}`);
  }
  for (const { kind, index, problem } of problems.slice(0, mostPrinted)) {
    console.log(`  PROBLEM in ${kind} (${name} --seed ${seed} --first ${index} --cases 1): ${problem}`);
  }
}
