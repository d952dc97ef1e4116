import type { Asset, ResultRecord, RuleRecord } from '../../service/store.ts';
import type { State } from '../state.ts';
import type { Family } from './exposition.ts';

/** What the state knows about rules and deliveries; `now` in ms since 1970. */
export async function stateFamilies(
  state: State,
  assets: readonly Asset[],
  now: number,
): Promise<readonly Family[]> {
  return [...(await ruleFamilies(state, assets)), ...(await deliveryFamilies(state, now))];
}

async function ruleFamilies(state: State, assets: readonly Asset[]): Promise<readonly Family[]> {
  const rows = await state.run(
    `SELECT rules.asset_id, rules.record, latest.record, latest.checked_at
     FROM rules LEFT JOIN (
       SELECT rule_id, record, checked_at FROM results WHERE id IN (SELECT max(id) FROM results GROUP BY rule_id)
     ) latest ON latest.rule_id = rules.id
     WHERE rules.is_active ORDER BY rules.id`,
  );
  const names = new Map(assets.map(({ id, name }) => [id, name]));
  const rules = rows.flatMap(([assetId, rule, latest, checkedAt]) => {
    const asset = names.get(String(assetId));
    // A state may have rules of an asset that is no longer served.
    if (asset === undefined) return [];
    const result = typeof latest === 'string' ? (JSON.parse(latest) as ResultRecord) : undefined;
    return [{ asset, rule: JSON.parse(String(rule)) as RuleRecord, result, checkedAt }];
  });
  const counts = Map.groupBy(rules, ({ asset, result }) =>
    JSON.stringify([asset, result?.status ?? 'unchecked']),
  );
  const checked = rules.flatMap(({ asset, rule, result, checkedAt }) =>
    result === undefined
      ? []
      : [
          {
            labels: labelsOf(asset, rule),
            percent: result.invalid_percent,
            at: Date.parse(String(checkedAt)),
          },
        ],
  );
  return [
    {
      name: 'data_quality_rules',
      help: 'Active rules by the status of their latest check.',
      type: 'gauge',
      samples: Array.from(counts, ([key, { length: value }]) => {
        const [asset, status] = JSON.parse(key) as [string, string];
        return { labels: { asset, status }, value };
      }),
    },
    {
      name: 'data_quality_rule_invalid_percent',
      help: 'Percent of the rows that broke a rule in its latest check.',
      type: 'gauge',
      samples: checked.map(({ labels, percent: value }) => ({ labels, value })),
    },
    {
      name: 'data_quality_rule_last_check_timestamp_seconds',
      help: 'When a rule was checked last, in seconds since 1970.',
      type: 'gauge',
      samples: checked.map(({ labels, at }) => ({ labels, value: at / 1000 })),
    },
  ];
}

function labelsOf(asset: string, { uuid, name, table_path, column_name, severity }: RuleRecord) {
  return { asset, rule: uuid, name: name ?? '', table: table_path, column: column_name ?? '', severity };
}

async function deliveryFamilies(state: State, now: number): Promise<readonly Family[]> {
  const counts = await state.run(
    'SELECT destination, status, count(*) FROM deliveries GROUP BY destination, status ORDER BY destination, status',
  );
  const waiting = await state.run(`SELECT count(*), min(due_at) FROM deliveries WHERE status = 'pending'`);
  const [length, due] = waiting[0] ?? [];
  return [
    {
      name: 'data_quality_deliveries',
      help: 'Deliveries of alerts that are kept, by destination and status.',
      type: 'gauge',
      samples: counts.map(([destination, status, value]) => ({
        labels: { destination: String(destination), status: String(status) },
        value: Number(value),
      })),
    },
    {
      name: 'data_quality_delivery_queue_length',
      help: 'Deliveries that are neither delivered nor failed.',
      type: 'gauge',
      samples: [{ labels: {}, value: Number(length ?? 0) }],
    },
    {
      name: 'data_quality_delivery_queue_delay_seconds',
      help: 'How long the next delivery is overdue.',
      type: 'gauge',
      samples: [
        {
          labels: {},
          value: due === null || due === undefined ? 0 : Math.max(0, now - Number(due)) / 1000,
        },
      ],
    },
  ];
}
