/**
 * A pipeline step that publishes tables only if their data is good: it defines rules and metrics, checks them,
 * shows what is wrong, and goes on with the good tables alone.
 *
 * Reads DATA_QUALITY_BASE_URL, DATA_QUALITY_API_KEY and ASSET_ID; `npm run demo` sets them for a local service.
 */
import {
  type CreateMetric,
  type CreateValidityRule,
  DataQualityClient,
  isApiError,
  RateLimitedError,
  type ValidityRule,
} from 'data-quality-client';

const assetId = process.env['ASSET_ID'] ?? '';
const catalog = process.env['CATALOG'] ?? 'warehouse';
const client = new DataQualityClient();

const table = {
  birdstrikes: `${catalog}.main.birdstrikes`,
  flights: `${catalog}.main.flights`,
  movies: `${catalog}.main.movies`,
};

const rules: CreateValidityRule[] = [
  {
    name: 'every strike has a date',
    rule_type: 'NOT_NULL',
    table_path: table.birdstrikes,
    column_name: 'Flight Date',
    severity: 'critical',
  },
  {
    name: 'wildlife size is one of three',
    rule_type: 'ENUM',
    table_path: table.birdstrikes,
    column_name: 'Wildlife Size',
    rule_config: { allowed_values: ['Small', 'Medium', 'Large'] },
  },
  {
    name: 'costs are not negative',
    rule_type: 'RANGE',
    table_path: table.birdstrikes,
    column_name: 'Cost Total $',
    rule_config: { min: 0 },
  },
  {
    name: 'origin is an airport code',
    rule_type: 'REGEX',
    table_path: table.flights,
    column_name: 'origin',
    rule_config: { pattern: '^[A-Z]{3}$' },
  },
  {
    name: 'nobody leaves 12 hours early',
    rule_type: 'RANGE',
    table_path: table.flights,
    column_name: 'delay',
    rule_config: { min: -720 },
    // 2 of 3,000,000 rows are wrong, and that is known.
    alert_threshold_percent: 0.001,
  },
  {
    name: 'no flight is listed twice',
    rule_type: 'CUSTOM_SQL',
    table_path: table.flights,
    rule_config: {
      sql_expression: `(date, delay, distance, origin, destination) NOT IN (
        SELECT (date, delay, distance, origin, destination) FROM flights GROUP BY ALL HAVING count(*) > 1)`,
    },
    alert_threshold_percent: 0.1,
  },
  {
    name: 'every movie has a title',
    rule_type: 'NOT_NULL',
    table_path: table.movies,
    column_name: 'Title',
    severity: 'critical',
  },
  {
    name: 'release dates can be read',
    rule_type: 'DATE_FORMAT',
    table_path: table.movies,
    column_name: 'Release Date',
    rule_config: { format: 'MMM DD YYYY' },
  },
  {
    name: 'no release date lies in the future',
    rule_type: 'CUSTOM_SQL',
    table_path: table.movies,
    column_name: 'Release Date',
    rule_config: { sql_expression: `strptime("Release Date", '%b %d %Y') < current_date` },
    severity: 'critical',
  },
];

const metrics: CreateMetric[] = [
  { metric_type: 'row_count', table_path: table.flights },
  { metric_type: 'percentile', table_path: table.flights, column_name: 'delay', percentile_value: 95 },
  { metric_type: 'null_percent', table_path: table.movies, column_name: 'MPAA Rating' },
];

const number = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 7 });

async function defineRulesAndMetrics(): Promise<void> {
  for (const rule of rules) await client.validity.create(assetId, rule);
  for (const metric of metrics) await client.metrics.create(assetId, metric);
  console.log(`Defined ${rules.length} rules and ${metrics.length} metrics.\n`);
}

/** Checks every active rule and returns the tables that broke one. */
async function checkRules(): Promise<Set<string>> {
  const badTables = new Set<string>();
  const active = client.validity.list(assetId, { is_active: true });
  for await (const outcome of client.validity.checkMany(assetId, active, { sample_limit: 3 })) {
    const { table_path: path, column_name: column, name } = outcome.rule;
    if ('error' in outcome) throw outcome.error;
    const { status, invalid_count: invalid, total_rows: total, invalid_samples: samples } = outcome.result;
    const count = `${number.format(invalid ?? 0)} of ${number.format(total ?? 0)} rows`;
    console.log(
      `${status === 'pass' ? 'pass' : (status ?? 'unknown').toUpperCase()}  ${path}  ${name}: ${count} invalid`,
    );
    if (status === 'pass') continue;
    badTables.add(path ?? '');
    for (const { row_id: row, value } of samples?.samples ?? []) {
      console.log(`        row ${row}: ${column} = ${JSON.stringify(value)}`);
    }
  }
  return badTables;
}

async function captureMetrics(): Promise<void> {
  for await (const outcome of client.metrics.captureMany(assetId, client.metrics.list(assetId))) {
    if ('error' in outcome) throw outcome.error;
    const { metric_type: type, column_name: column, table_path: path } = outcome.metric;
    for (const { value, is_anomaly: odd } of outcome.result.snapshots) {
      const text = value === null || value === undefined ? 'none' : number.format(value);
      console.log(`${type}${column ? ` of ${column}` : ''} in ${path}: ${text}${odd ? ' (anomaly)' : ''}`);
    }
  }
}

/** What the service remembers of a rule: iterated page by page, newest first. */
async function showHistory(rule: ValidityRule): Promise<void> {
  for (let run = 0; run < 2; run++) await client.validity.check(assetId, rule.uuid);
  const history: string[] = [];
  for await (const result of client.validity.results(assetId, rule.uuid, { limit: 2 })) {
    history.push(`${result.status} (${number.format(result.invalid_percent ?? 0)} %)`);
  }
  console.log(`History of "${rule.name}": ${history.join(', ')}`);
}

async function showTypedErrors(): Promise<void> {
  try {
    await client.validity.get(assetId, 'v_00000000-0000-4000-8000-000000000000');
  } catch (error) {
    if (!isApiError(error, 'RULE_NOT_FOUND')) throw error;
    console.log(`Caught ${error.code}: there is no rule ${error.details.rule_id}`);
  }

  // The client paces itself, so it takes one that does not, and does not retry either, to meet the limit.
  const hasty = client.withOptions({ rateLimit: false, maxRetries: 0 });
  try {
    await Promise.all(Array.from({ length: 200 }, () => hasty.validity.summary(assetId)));
  } catch (error) {
    if (!(error instanceof RateLimitedError)) throw error;
    console.log(
      `Caught ${error.code}: try again in ${error.retryAfterMs} ms (limit ${error.rateLimit?.limit})`,
    );
  }
}

await defineRulesAndMetrics();
const badTables = await checkRules();
console.log();
await captureMetrics();
console.log();
const [firstRule] = await client.validity.list(assetId, { limit: 1 }).toArray({ max: 1 });
if (firstRule !== undefined) await showHistory(firstRule);
await showTypedErrors();
console.log();
for (const path of Object.values(table)) {
  console.log(badTables.has(path) ? `Stopped: ${path} is not published.` : `Published: ${path}.`);
}
