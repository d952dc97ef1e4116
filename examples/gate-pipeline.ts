/**
 * A pipeline step that publishes tables only if their data is good. It brings the rules of rules.yaml to the service,
 * runs the gate over everything, shows what is wrong, and goes on with the good tables.
 *
 * Reads DATA_QUALITY_BASE_URL, DATA_QUALITY_API_KEY and ASSET_ID; `npm run demo` sets them for a local service.
 */
import { readFile } from 'node:fs/promises';

import { DataQualityClient, isApiError, RateLimitedError } from 'data-quality-client';
import { gate, renderText } from 'data-quality-client/gate';
import { apply, parseDefinition, plan, renderChanges } from 'data-quality-client/rules';

const assetId = process.env['ASSET_ID'] ?? '';
const client = new DataQualityClient();

/** Rules as code: what the file says and the service lacks is created; a second run would change nothing. */
async function applyRules(): Promise<string[]> {
  const definition = parseDefinition(await readFile(new URL('rules.yaml', import.meta.url), 'utf8'));
  const changes = await plan(client, assetId, definition);
  console.log(renderChanges(changes));
  await apply(client, changes);
  return Object.keys(definition.tables);
}

/** Checks every active rule, captures every metric, looks at the freshness, and says which tables are not good. */
async function findBadTables(): Promise<Set<string>> {
  const verdict = await gate(client, assetId, {
    rules: true,
    metrics: true,
    freshness: true,
    sampleLimit: 3,
    throw: false,
  });
  console.log(renderText(verdict));
  const bad = new Set<string>();
  for (const { outcome, rule } of verdict.checks) if (outcome !== 'passed') bad.add(rule.table_path);
  for (const { outcome, metric } of verdict.metrics) if (outcome !== 'passed') bad.add(metric.table_path);
  return bad;
}

async function showTypedErrors(): Promise<void> {
  try {
    await client.validity.get(assetId, 'v_00000000-0000-4000-8000-000000000000');
  } catch (error) {
    if (!isApiError(error, 'RULE_NOT_FOUND')) throw error;
    console.log(`Caught ${error.code}: there is no rule ${error.details.rule_id}`);
  }

  // The client paces itself. Only one that does not, and does not retry either, meets the limit.
  const hasty = client.withOptions({ rateLimit: false, maxRetries: 0 });
  try {
    await Promise.all(Array.from({ length: 200 }, () => hasty.validity.summary(assetId)));
  } catch (error) {
    if (!(error instanceof RateLimitedError)) throw error;
    console.log(`Caught ${error.code}: 200 requests at once exceed the limit per second`);
  }
}

const tables = await applyRules();
const badTables = await findBadTables();
await showTypedErrors();
console.log();
for (const table of tables) {
  console.log(badTables.has(table) ? `Stopped: ${table} is not published.` : `Published: ${table}.`);
}
