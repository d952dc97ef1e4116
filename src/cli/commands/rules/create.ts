import { Option } from '@commander-js/extra-typings';

import { defaults, intervals, type RuleType, ruleTypes, severities } from '../../../contract/vocabulary.ts';
import type { CreateValidityRule } from '../../../index.ts';
import { CliError } from '../../cli-error.ts';
import { anyCase, choice } from '../../choice.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import { finiteNumber } from '../../number.ts';
import type { Session } from '../../session.ts';
import { fieldTable } from '../../table.ts';
import { print } from '../../terminal.ts';

const createCommand = () =>
  assetCommand('create')
    .description('create a rule')
    .addOption(
      new Option('--type <rule_type>', 'what the rule demands')
        .choices(ruleTypes)
        .argParser(anyCase(ruleTypes))
        .makeOptionMandatory(),
    )
    .requiredOption('--table <table_path>', 'table, as <catalog>.<schema>.<table>')
    .option('--column <name>', 'column; every type but CUSTOM_SQL needs it')
    .option('--pattern <regex>', 'for REGEX')
    .option('--min <number>', 'for RANGE: least valid value', finiteNumber)
    .option('--max <number>', 'for RANGE: greatest valid value', finiteNumber)
    .option(
      '--allowed <values>',
      'for ENUM: a,b,c, or a JSON array if values are numbers or contain commas',
      allowedValues,
    )
    .option('--format <format>', 'for DATE_FORMAT, such as YYYY-MM-DD')
    .option('--sql <expression>', 'for CUSTOM_SQL: a condition every row must meet')
    .option('--name <name>', 'name for people')
    .option('--description <text>', 'what the rule is for')
    .addOption(choice('--severity <severity>', `default ${defaults.severity}`, severities))
    .option('--threshold <percent>', 'invalid rows that are tolerated, in percent; default 0', finiteNumber)
    .option('--nulls-are-valid', 'let nulls pass')
    .addOption(choice('--interval <interval>', `default ${defaults.interval}`, intervals))
    .addHelpText('after', examples);

/** `dq rules create`. */
export const createRule = (session: Session) =>
  createCommand().action(async (options) => {
    checkFlags(options);
    const { client, asset } = await connectToAsset(options);
    const config = ruleConfig(options);
    const body = {
      rule_type: options.type,
      table_path: options.table,
      column_name: options.column,
      ...(config !== undefined && { rule_config: config }),
      name: options.name,
      description: options.description,
      severity: options.severity,
      alert_threshold_percent: options.threshold,
      treat_null_as_valid: options.nullsAreValid,
      check_interval: options.interval,
    };
    // Which fields a type demands is checked before anything is sent, and named in the error.
    const rule = await client.validity.create(asset, body as CreateValidityRule, {
      signal: session.signal,
    });
    print(options.json, rule, () => fieldTable(rule));
  });

type CreateFlags = ReturnType<ReturnType<typeof createCommand>['opts']>;

/** The flags that say what a rule demands, with their name on the command line. */
const configFlags = {
  pattern: '--pattern',
  min: '--min',
  max: '--max',
  allowed: '--allowed',
  format: '--format',
  sql: '--sql',
} as const;

/** Which of them a rule of each type takes; it needs one of them. */
const flagsOf: Readonly<Record<RuleType, readonly (keyof typeof configFlags)[]>> = {
  NOT_NULL: [],
  UNIQUE: [],
  REGEX: ['pattern'],
  RANGE: ['min', 'max'],
  ENUM: ['allowed'],
  DATE_FORMAT: ['format'],
  CUSTOM_SQL: ['sql'],
};

/** Says in the words of the flags what the service would say in those of its fields. */
function checkFlags(flags: CreateFlags): void {
  const { type } = flags;
  const own = flagsOf[type];
  const given = Object.keys(configFlags).filter(
    (name): name is keyof typeof configFlags => flags[name as keyof typeof configFlags] !== undefined,
  );
  const foreign = given.find((name) => !own.includes(name));
  if (foreign !== undefined) throw new CliError(exitCode.usage, `${type} takes no ${configFlags[foreign]}.`);
  if (own.length > 0 && given.length === 0) {
    throw new CliError(exitCode.usage, `${type} needs ${own.map((name) => configFlags[name]).join(' or ')}.`);
  }
  if (type !== 'CUSTOM_SQL' && flags.column === undefined) {
    throw new CliError(exitCode.usage, `${type} needs --column.`);
  }
}

function ruleConfig(flags: CreateFlags): Record<string, unknown> | undefined {
  const { pattern, min, max, allowed, format, sql } = flags;
  const given = Object.entries({
    pattern,
    min,
    max,
    allowed_values: allowed,
    format,
    sql_expression: sql,
  }).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function allowedValues(text: string): readonly unknown[] {
  if (!text.trimStart().startsWith('[')) return text.split(',');
  try {
    return JSON.parse(text) as readonly unknown[];
  } catch (cause) {
    throw new CliError(exitCode.usage, `--allowed begins like a JSON array, but is not one: ${text}`, {
      cause,
    });
  }
}

const examples = `
Examples:
  $ dq rules create --type NOT_NULL --table shop.main.orders --column id --severity critical
  $ dq rules create --type REGEX --table shop.main.users --column email --pattern '^[^@]+@[^@]+$'
  $ dq rules create --type RANGE --table shop.main.orders --column amount --min 0 --threshold 0.5
  $ dq rules create --type ENUM --table shop.main.orders --column state --allowed open,paid,sent
  $ dq rules create --type CUSTOM_SQL --table shop.main.orders --sql 'shipped_at >= ordered_at'`;
