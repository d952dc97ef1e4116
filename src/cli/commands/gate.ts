import { defaults, metricTypes, ruleTypes, severities } from '../../contract/vocabulary.ts';
import type { GateOptions } from '../../gate/index.ts';
import { choice, choices } from '../choice.ts';
import { connect, requiredAsset, serviceCommand } from '../connection.ts';
import { environmentFlag, ownerFlag, tagFlag, variableFlag } from '../definition-flags.ts';
import { duration } from '../duration.ts';
import { gateFreshness, gateLabels, readGateDefinitions } from '../gate-definition.ts';
import { outputFlag, writeOutputs } from '../gate-output.ts';
import { runGate } from '../gate-run.ts';
import { wholeNumber } from '../number.ts';
import { defaultSamples, samplesFlag } from '../samples-flag.ts';
import type { Session } from '../session.ts';
import { refuseTwoOutputs } from '../text-file.ts';

const gateCommand = () =>
  serviceCommand('gate')
    .description(
      'Checks the active rules of assets now, and if asked their freshness and metrics. Exit code 0 only if everything passed, 1 if the data is bad, 6 if inconclusive.',
    )
    .option('-a, --asset <ids...>', 'the data assets (environment: DATA_QUALITY_ASSET, or the profile)')
    .option('--rule <ids...>', 'only these rules, by their uuid')
    .addOption(choices('--rule-type <types...>', 'only rules of these types', ruleTypes))
    .option('--table <paths...>', 'only rules of these tables, as <catalog>.<schema>.<table>')
    .addOption(choices('--severity <severities...>', 'only rules of these severities', severities))
    .option(
      '--definition <files...>',
      'show the owners and tags of this definition, and check what it expects of freshness; its assets, if it names them',
    )
    .addOption(environmentFlag())
    .addOption(variableFlag())
    .addOption(tagFlag())
    .addOption(ownerFlag())
    .option('--no-rules', 'check no rules')
    .option('--freshness', 'the data must also be fresh')
    .option(
      '--max-age <duration>',
      "oldest age allowed, such as 2h, in addition to the service's own threshold",
      duration,
    )
    .option('--wait <duration>', 'how long to wait for fresh data', duration)
    .option('--metrics', 'also capture the metrics; an anomaly is a failure')
    .addOption(choices('--metric-type <types...>', 'capture only metrics of these types', metricTypes))
    .addOption(
      choice(
        '--fail-on <severity>',
        `least severity that closes the gate; default ${defaults.severity}`,
        severities,
      ),
    )
    .option('--allow-empty', 'tables without rows may pass; by default they are inconclusive')
    .addOption(samplesFlag())
    .option('--sample-limit <n>', 'most samples per rule; default 10', wholeNumber(0))
    .option('--concurrency <n>', 'requests at once, over all assets; default 100', wholeNumber(1))
    .option(
      '--deadline <duration>',
      'time for everything; what is not done by then is inconclusive',
      duration,
    )
    .addOption(outputFlag())
    .addHelpText('after', examples);

/** `dq gate`. */
export const create = (session: Session) =>
  gateCommand().action(async (options) => {
    refuseTwoOutputs(options.json, options.output?.map(({ path }) => path) ?? []);
    const connection = { ...options, asset: undefined };
    const definitions = await readGateDefinitions(options, connection);
    const client = await connect(connection);
    const named = definitions.length === 0 ? undefined : definitions.map(({ assetId }) => assetId);
    const assets = options.asset ?? named ?? [await requiredAsset(connection)];
    const gateOptions = toGateOptions(options);
    const verdict = await runGate(session, client, assets, {
      ...gateOptions,
      labels: await gateLabels(definitions),
      freshness: await gateFreshness(assets, definitions, gateOptions.freshness ?? false),
    });
    session.exitCode = verdict.exitCode;
    const { withSamples } = await import('../../gate/index.ts');
    await writeOutputs(
      withSamples(verdict, options.samples ?? defaultSamples()),
      options.output ?? [],
      options.json,
    );
  });

type GateFlags = ReturnType<ReturnType<typeof gateCommand>['opts']>;

function toGateOptions(flags: GateFlags): GateOptions {
  const selection = {
    ids: flags.rule,
    rule_type: flags.ruleType,
    table_path: flags.table,
    severity: flags.severity,
    tag: flags.tag,
    owner: flags.owner,
  };
  const metrics = { metric_type: flags.metricType, tag: flags.tag, owner: flags.owner };
  const isCapturing = flags.metrics === true || flags.metricType !== undefined;
  const freshness = {
    maxAgeMinutes: flags.maxAge === undefined ? undefined : flags.maxAge / 60_000,
    waitMs: flags.wait,
  };
  return {
    rules: flags.rules && (isAnySet(selection) ? selection : true),
    freshness: isAnySet(freshness) ? freshness : flags.freshness === true,
    metrics: isCapturing && isAnySet(metrics) ? metrics : isCapturing,
    failOn: flags.failOn,
    allowEmpty: flags.allowEmpty,
    sampleLimit: flags.samples === 'none' ? 0 : flags.sampleLimit,
    concurrency: flags.concurrency,
    timeout: flags.deadline,
  };
}

function isAnySet(flags: Readonly<Record<string, unknown>>): boolean {
  return Object.values(flags).some((value) => value !== undefined);
}

const examples = `
Examples:
  $ dq gate --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01 && ./publish.sh
  $ dq gate --freshness --wait 30m --metrics --fail-on critical
  $ dq gate --table shop.main.orders --severity critical --json | jq .outcome
  $ dq gate --definition rules.yaml --tag nightly
  $ dq gate --output junit=junit.xml --output html=gate.html --samples none`;
