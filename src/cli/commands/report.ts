import { resolve } from 'node:path';

import type { DataQualityClient, InvalidSample } from '../../index.ts';
import { exitCode } from '../../judgement/exit-code.ts';
import type { Report } from '../../report/report.ts';
import { CliError } from '../cli-error.ts';
import { connect, requiredAsset, serviceCommand } from '../connection.ts';
import { runGate } from '../gate-run.ts';
import { wholeNumber } from '../number.ts';
import { startProgress } from '../progress.ts';
import { defaultSamples, samplesFlag } from '../samples-flag.ts';
import type { Session } from '../session.ts';
import { message, print } from '../terminal.ts';
import { standardOutput, writeText } from '../text-file.ts';

/** `dq report`. */
export const create = (session: Session) =>
  serviceCommand('report')
    .description(
      'Writes a report of assets as one HTML file that works from disk. It only reads, unless --check is given.',
    )
    .option('-a, --asset <ids...>', 'the data assets (environment: DATA_QUALITY_ASSET, or the profile)')
    .option('-o, --output <file>', 'default report.html; with --json none')
    .option('--title <text>', 'title of the page; default the names of the assets')
    .option('--check', 'check the rules and capture the metrics first; failing samples come with it')
    .option('--allow-empty', 'tables without rows may pass; by default they are inconclusive')
    .addOption(samplesFlag())
    .option('--mask <columns...>', 'columns whose values are masked in samples and groups')
    .option('--results <n>', 'most results in the history of a rule; default 30', wholeNumber(1))
    .option('--snapshots <n>', 'most values of a metric; default 365', wholeNumber(1))
    .addHelpText('after', examples)
    .action(async (options) => {
      const connection = { ...options, asset: undefined };
      const client = await connect(connection);
      const assets = options.asset ?? [await requiredAsset(connection)];
      const samples =
        options.check === true
          ? await checkFirst(session, client, assets, options.samples ?? defaultSamples())
          : undefined;
      const report = await collect(session, client, assets, { ...options, samples });

      const file = options.output ?? (options.json === true ? undefined : 'report.html');
      if (file !== undefined) {
        const { renderReport } = await import('../../report/render.ts');
        await writeText(file, renderReport(report));
      }
      if (options.json === true) print(true, report, () => '');
      if (file !== undefined && file !== standardOutput) message(`Report: ${resolve(file)}`);
    });

interface Collected {
  readonly title?: string | undefined;
  readonly results?: number | undefined;
  readonly snapshots?: number | undefined;
  readonly mask?: readonly string[] | undefined;
  readonly samples?: ReadonlyMap<string, readonly InvalidSample[]> | undefined;
  readonly allowEmpty?: boolean | undefined;
}

/** Reads the report and masks it. Ends the command if a column to mask is not there: a typo would show its values. */
async function collect(
  session: Session,
  client: DataQualityClient,
  assets: readonly string[],
  { title, results, snapshots, mask = [], samples, allowEmpty }: Collected,
): Promise<Report> {
  const { collectReport } = await import('../../report/collect.ts');
  const { maskColumns, unknownColumns } = await import('../../report/mask.ts');
  const progress = startProgress();
  const report = await collectReport(client, assets, {
    title,
    results,
    snapshots,
    samples,
    allowEmpty,
    signal: session.signal,
    onProgress: (done, total) => {
      session.progress = `${done} of ${total} rules and metrics read, nothing written`;
      if (process.stderr.isTTY) progress.step(`${done}/${total} rules and metrics read`);
    },
  }).finally(() => progress.end());
  const unknown = unknownColumns(report, mask);
  if (unknown.length > 0) {
    throw new CliError(
      exitCode.usage,
      `--mask: no rule, metric or sample has a column ${unknown.map((column) => `"${column}"`).join(', ')}. Nothing was written.`,
    );
  }
  return maskColumns(report, mask);
}

/** Checks and captures, and returns the samples by rule; what failed shows in the report. */
async function checkFirst(
  session: Session,
  client: DataQualityClient,
  assets: readonly string[],
  mode: 'none' | 'masked' | 'full',
): Promise<ReadonlyMap<string, readonly InvalidSample[]>> {
  const { withSamples } = await import('../../gate/index.ts');
  const verdict = await runGate(session, client, assets, { rules: true, metrics: true, failOn: 'info' });
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
  $ dq report --check --mask email phone --title 'Orders, nightly'
  $ dq report --json | jq .counts`;
