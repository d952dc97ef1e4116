// Run as a process of its own, so that it can be killed: prints where it listens.
import { startLocalService } from '../../src/local/index.ts';

const [data = ''] = process.argv.slice(2);
const service = await startLocalService({
  data,
  keys: { readOnly: 'reader', readWrite: 'writer', admin: 'admin' },
});
process.stdout.write(`${JSON.stringify({ url: service.url, assetId: service.assets[0]?.id })}\n`);
