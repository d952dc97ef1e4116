/**
 * A page of Next.js, at /health/<asset>, that shows which rules of an asset pass and how fresh its data is. It is
 * rendered on the server, so the key stays there. Reads DATA_QUALITY_BASE_URL and DATA_QUALITY_API_KEY; a read-only key
 * suffices.
 */
import { DataQualityClient, isApiError, judgeCheck, judgeFreshness } from 'data-quality-client';
import type { ValidityRule } from 'data-quality-client';
import { notFound } from 'next/navigation';

/** What is shown is at most a minute old, however many look at it. */
export const revalidate = 60;

interface PageProps {
  readonly params: Promise<{ readonly asset: string }>;
}

export default async function HealthPage({ params }: PageProps) {
  const { asset } = await params;
  const client = new DataQualityClient();
  const [rules, freshness] = await Promise.all([
    client.validity.list(asset, { is_active: true }).toArray(),
    client.freshness.get(asset).catch((error: unknown) => {
      if (isApiError(error, 'FRESHNESS_NOT_CONFIGURED')) return null;
      throw error;
    }),
  ]).catch((error: unknown) => {
    if (isApiError(error, 'ASSET_NOT_FOUND')) notFound();
    throw error;
  });
  const rows = await Promise.all(
    rules.map(async (rule) => ({ rule, latest: await latestOf(client, asset, rule) })),
  );
  const failing = rows.filter(({ latest }) => latest.outcome === 'failed').length;
  return (
    <main>
      <h1>{freshness?.asset ?? asset}</h1>
      <p>
        {failing === 0 ? 'No rule fails' : `${failing} of ${rows.length} rules fail`}
        {freshness === null
          ? ''
          : `; the data is ${judgeFreshness(freshness).outcome === 'passed' ? '' : 'not '}fresh`}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Table</th>
            <th scope="col">Rule</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ rule, latest: { outcome, reason } }) => (
            <tr key={rule.uuid}>
              <td>{rule.table_path}</td>
              <td>{rule.name ?? `${rule.rule_type} ${rule.column_name ?? ''}`}</td>
              <td>{reason === undefined ? outcome : `${outcome}: ${reason}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  );
}

/** The newest result of a rule, judged; reading results checks nothing. */
async function latestOf(
  client: DataQualityClient,
  asset: string,
  rule: ValidityRule,
): Promise<{ readonly outcome: string; readonly reason?: string }> {
  const [result] = (await client.validity.results(asset, rule.uuid, { limit: 1 })).items;
  return result === undefined ? { outcome: 'not checked yet' } : judgeCheck(result, { rule });
}
