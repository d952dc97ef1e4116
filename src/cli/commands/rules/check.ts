import { Option } from '@commander-js/extra-typings';

import { severities } from '../../../contract/vocabulary.ts';
import { choice } from '../../choice.ts';
import { CliError } from '../../cli-error.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import { environmentFlag, ownerFlag, tagFlag, variableFlag } from '../../definition-flags.ts';
import { outputFlag, writeOutputs } from '../../gate-output.ts';
import { runGate } from '../../gate-run.ts';
import { checkLocally } from '../../local-check.ts';
import { wholeNumber } from '../../number.ts';
import { defaultSamples, samplesFlag } from '../../samples-flag.ts';
import type { Session } from '../../session.ts';
import { refuseTwoOutputs } from '../../text-file.ts';
import { sourceFlag } from '../../source-flag.ts';

/** `dq rules check`. */
export const checkRules = (session: Session) =>
  assetCommand('check')
    .summary('check rules now and show what they find')
    .description(
      'Checks rules now and shows what they find: those named, or all active ones. With --local or --source, tries a definition on the files of a folder or in a database, without a service.',
    )
    .argument(
      '[rule-id-or-definition...]',
      'uuids of rules, v_…; with --local or --source the files of a definition',
    )
    .option('--local <folder>', 'check a definition on the files of this folder; needs @duckdb/node-api')
    .addOption(
      new Option(
        '--source <name=url>',
        'check a definition inside this database, postgres://… or clickhouse://…; ${NAME} in it is a variable of the environment',
      )
        .argParser((written: string) => sourceFlag(written, {}))
        .conflicts('local'),
    )
    .addOption(environmentFlag())
    .addOption(variableFlag())
    .addOption(tagFlag())
    .addOption(ownerFlag())
    .addOption(choice('--fail-on <severity>', 'least severity that counts; default info', severities))
    .option('--allow-empty', 'tables without rows may pass; by default they are inconclusive')
    .addOption(samplesFlag())
    .option('--sample-limit <n>', 'most samples per rule; default 10', wholeNumber(0))
    .addOption(outputFlag())
    .addHelpText('after', examples)
    .action(async (names, options) => {
      const { local, source, allowEmpty, sampleLimit, samples = defaultSamples(), output = [] } = options;
      refuseTwoOutputs(
        options.json,
        output.map(({ path }) => path),
      );
      const gateOptions = {
        failOn: options.failOn ?? 'info',
        allowEmpty,
        sampleLimit: samples === 'none' ? 0 : sampleLimit,
      } as const;
      let verdict;
      if (local === undefined && source === undefined) {
        const file = names.find((name) => /\.(ya?ml|json)$/i.test(name));
        if (file !== undefined) {
          throw new CliError(
            exitCode.usage,
            `${file} is a file, and without --local rules are named by their uuid. Try it on a folder with dq rules check --local <folder> ${file}, or compare it with the service with dq rules plan ${file}.`,
          );
        }
        for (const flag of ['environment', 'var', 'tag', 'owner'] as const) {
          if (options[flag] !== undefined) {
            throw new CliError(
              exitCode.usage,
              `--${flag} is about a definition: give --local or --source too, or use dq gate --definition.`,
            );
          }
        }
        const { client, asset } = await connectToAsset(options);
        const rules = names.length === 0 ? true : { ids: names };
        verdict = await runGate(session, client, [asset], { ...gateOptions, rules });
      } else {
        const localData = source === undefined ? { data: local } : { sources: source };
        const { environment, var: variables, tag, owner } = options;
        const flags = { environment, var: variables, tag, owner };
        verdict = await checkLocally(session, localData, names, { ...gateOptions, ...flags });
      }
      session.exitCode = verdict.exitCode;
      const { withSamples } = await import('../../../gate/index.ts');
      await writeOutputs(withSamples(verdict, samples), output, options.json);
    });

const examples = `
Examples:
  $ dq rules check
  $ dq rules check v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f --sample-limit 50
  $ dq rules check --local ./data rules.yaml
  $ dq rules check --local ./data orders.yaml customers.yaml --environment staging --tag nightly
  $ dq rules check --local ./data rules.yaml --fail-on critical --output junit=rules.xml
  $ dq rules check --source postgres://reader@host/shop rules.yaml`;
