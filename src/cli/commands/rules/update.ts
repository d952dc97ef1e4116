import { intervals, severities } from '../../../contract/vocabulary.ts';
import type { UpdateValidityRule } from '../../../index.ts';
import { choice } from '../../choice.ts';
import { CliError } from '../../cli-error.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import { finiteNumber } from '../../number.ts';
import type { Session } from '../../session.ts';
import { fieldTable } from '../../table.ts';
import { print } from '../../terminal.ts';

/** `dq rules update`. */
export const updateRule = (session: Session) =>
  assetCommand('update')
    .description('change a rule; what it demands cannot be changed, create another rule for that')
    .argument('<rule-id>', 'the uuid of the rule, v_…')
    .option('--name <name>', 'name for people')
    .option('--description <text>', 'what the rule is for')
    .addOption(choice('--severity <severity>', 'how grave it is if the rule is broken', severities))
    .option('--threshold <percent>', 'invalid rows that are tolerated, in percent', finiteNumber)
    .option('--nulls-are-valid', 'let nulls pass')
    .option('--no-nulls-are-valid', 'do not let nulls pass')
    .addOption(choice('--interval <interval>', 'how often the rule is checked', intervals))
    .addHelpText('after', examples)
    .action(async (ruleId, options) => {
      const patch: UpdateValidityRule = {
        ...(options.name !== undefined && { name: options.name }),
        ...(options.description !== undefined && { description: options.description }),
        ...(options.severity !== undefined && { severity: options.severity }),
        ...(options.threshold !== undefined && { alert_threshold_percent: options.threshold }),
        ...(options.nullsAreValid !== undefined && { treat_null_as_valid: options.nullsAreValid }),
        ...(options.interval !== undefined && { check_interval: options.interval }),
      };
      if (Object.keys(patch).length === 0) {
        throw new CliError(
          exitCode.usage,
          'What is to change? Give --severity or another option; see --help.',
        );
      }
      const { client, asset } = await connectToAsset(options);
      const rule = await client.validity.update(asset, ruleId, patch, { signal: session.signal });
      print(options.json, rule, () =>
        Object.keys(rule).length === 0 ? `Changed ${ruleId}.` : fieldTable(rule),
      );
    });

const examples = `
Examples:
  $ dq rules update v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f --severity critical
  $ dq rules update v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f --threshold 0.5 --interval hourly`;
