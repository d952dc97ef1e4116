import type { FreshnessStore } from '../service/store.ts';
import type { State } from './state.ts';

/** Creates the store of the freshness that was observed: one row per period, not per observation. */
export function freshnessStore(state: State): FreshnessStore {
  return {
    record: async (assetId, { status, at }, mostGap) =>
      state.transaction(async (run) => {
        const [last] = await run(
          'SELECT status, from_at, until_at FROM freshness_periods WHERE asset_id = $1 ORDER BY from_at DESC, until_at DESC LIMIT 1',
          assetId,
        );
        const isNext = last !== undefined && at - Number(last[2]) <= mostGap;
        if (isNext && at > Number(last[2])) {
          await run(
            'UPDATE freshness_periods SET until_at = $4 WHERE asset_id = $1 AND from_at = $2 AND status = $3',
            assetId,
            Number(last[1]),
            String(last[0]),
            at,
          );
        }
        if (isNext && last[0] === status) return;
        await run(
          'INSERT INTO freshness_periods (asset_id, status, from_at, until_at) VALUES ($1, $2, $3, $3)',
          assetId,
          status,
          at,
        );
      }),
    async list(assetId, since) {
      const rows = await state.run(
        'SELECT status, from_at, until_at FROM freshness_periods WHERE asset_id = $1 AND until_at > $2 ORDER BY from_at, until_at',
        assetId,
        since,
      );
      return rows.map(([status, from, until]) => ({
        status: String(status),
        from: Number(from),
        until: Number(until),
      }));
    },
  };
}
