import { resolve } from 'node:path';

import type { DataQualityClient, InvalidSample } from '../../index.ts';
import { assetCommand, connectToAsset } from '../connection.ts';
import { runGate } from '../gate-run.ts';
import { wholeNumber } from '../number.ts';
import { startProgress } from '../progress.ts';
import { defaultSamples, samplesFlag } from '../samples-flag.ts';
import type { Session } from '../session.ts';
import { message, print } from '../terminal.ts';
import { writeText } from '../text-file.ts';

/** `dq report`. */
export const create = (session: Session) =>
  assetCommand('report')
    .description(
      'Writes a report of an asset as one HTML file that works from disk. It only reads, unless --check is given.',
    )
    .option('-o, --output <file>', 'default report.html; with --json none')
    .option('--check', 'check the rules and capture the metrics first; failing samples come with it')
    .addOption(samplesFlag())
    .option('--results <n>', 'most results in the history of a rule; default 30', wholeNumber(1))
    .option('--snapshots <n>', 'most values of a metric; default 365', wholeNumber(1))
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const samples =
        options.check === true
          ? await checkFirst(session, client, asset, options.samples ?? defaultSamples())
          : undefined;
      const { collectReport } = await import('../../report/collect.ts');
      const progress = startProgress();
      const report = await collectReport(client, asset, {
        results: options.results,
        snapshots: options.snapshots,
        samples,
        signal: session.signal,
        onProgress: (done, total) => {
          session.progress = `${done} of ${total} rules and metrics read, nothing written`;
          if (process.stderr.isTTY || done === total)
            progress.step(`${done}/${total} rules and metrics read`);
        },
      }).finally(() => progress.end());

      const file = options.output ?? (options.json === true ? undefined : 'report.html');
      if (file !== undefined) {
        const { renderReport } = await import('../../report/render.ts');
        await writeText(file, renderReport(report));
      }
      if (options.json === true) print(true, report, () => '');
      if (file !== undefined) message(`Report: ${resolve(file)}`);
    });

/** Checks and captures, and returns the samples by rule; what failed shows in the report. */
async function checkFirst(
  session: Session,
  client: DataQualityClient,
  asset: string,
  mode: 'none' | 'masked' | 'full',
): Promise<ReadonlyMap<string, readonly InvalidSample[]>> {
  const { withSamples } = await import('../../gate/index.ts');
  const verdict = await runGate(session, client, [asset], { rules: true, metrics: true, failOn: 'info' });
  return new Map(
    withSamples(verdict, mode).checks.map(({ rule, result }) => [
      rule.uuid,
      result?.invalid_samples?.samples ?? [],
    ]),
  );
}

const examples = `
Examples:
  $ dq report --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01 --output report.html
  $ dq report --check --samples masked
  $ dq report --json | jq .counts`;
