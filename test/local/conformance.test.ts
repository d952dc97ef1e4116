import { startLocalService } from 'data-quality-client/local';

import { describeConformance } from '../service/conformance.ts';
import { dataFolder } from '../support/served.ts';

describeConformance('the local service, over a socket', async () => {
  const seen = new Date(Date.now() - 5 * 60_000).toISOString();
  const rows = Array.from({ length: 10 }, (_, row) =>
    [row, row === 3 || row === 7 ? '' : `p${row}@example.org`, seen].join(','),
  );
  const folder = await dataFolder({
    'people.csv': ['id,email,seen', ...rows, ''].join('\n'),
    'other/empty.csv': 'id\n',
    'dq.json': JSON.stringify({
      assets: [
        {
          name: 'shop',
          freshness: { table: 'shop.main.people', timestamp_column: 'seen', threshold: '24h' },
        },
        { name: 'other', path: 'other' },
      ],
    }),
  });
  const service = await startLocalService({ data: folder.path });
  const [asset, other] = service.assets;
  return {
    baseUrl: service.url,
    fetch: async (input, init) => fetch(input, init),
    keys: service.keys,
    assetId: asset?.id ?? '',
    assetName: 'shop',
    unconfiguredAssetId: other?.id ?? '',
    tablePath: 'shop.main.people',
    close: async () => {
      await service.close();
      await folder[Symbol.asyncDispose]();
    },
  };
});
