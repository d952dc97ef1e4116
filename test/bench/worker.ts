import { contestants } from './contestants.ts';
import { jobs, type JobName } from './jobs.ts';

/** Runs one job of one contestant in a process of its own: `worker.ts <job> <contestant> <parameters as JSON>`. */
const [, , job = '', name = '', parameters = '{}'] = process.argv;
const load = contestants[name];
if (load === undefined || !(job in jobs)) throw new Error(`no job ${job} or contestant ${name}`);
const result = await jobs[job as JobName](await load(), JSON.parse(parameters));
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
