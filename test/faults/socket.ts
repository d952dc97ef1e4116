import { connect } from 'node:net';

import type { Keys } from '../../src/service/scope.ts';
import { head } from '../support/raw-bytes.ts';
import type { Instrument, Played } from './instrument.ts';
import type { Random } from './random.ts';
import { type ServedProcess, startServedProcess } from './served-process.ts';

/** Bytes on the socket of a service: requests with changed, missing and foreign parts. */
export const socket: Instrument = {
  concurrency: 20,
  start: async () => {
    const served = await startServedProcess({ 'a.csv': 'a\n1\n' });
    return { play: async (index, random) => play(served, index, random), end: async () => served.end() };
  },
};

/** Those of the service that is started here. */
const keysOfProcess = { readOnly: 'reader', readWrite: 'writer', admin: 'admin' };

/** Cases after which the service is asked whether it still lives. */
const between = 100;

async function play(served: ServedProcess, index: number, random: Random): Promise<Played> {
  const { kind, bytes } = attack(served.assetId, keysOfProcess, random);
  await send(served.port, bytes, random.oneIn(10));
  return { kind, problems: index % between === 0 ? await served.problems() : [] };
}

const inserted = [
  '@',
  '\0',
  '\r\n',
  '\n',
  ':',
  '%',
  '%00',
  '//',
  '\u00ff',
  'http://a:b@c/',
  'http://[::1/',
  '?',
  '#',
  ' ',
  '*',
  '[',
  '\t',
  '..',
  'Expect: 100-continue\r\n',
  'Upgrade: websocket\r\nConnection: Upgrade\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 99999999999\r\n',
  'Content-Length: -1\r\n',
  'Content-Encoding: gzip\r\n',
  'TRACE ',
  'CONNECT ',
];

/** Makes the bytes of a request that is whole at first, then changed at one to four places. */
export function attack(
  assetId: string,
  keys: Keys,
  random: Random,
): { readonly kind: string; readonly bytes: Buffer } {
  const json = 'Content-Type: application/json';
  const rules = `/api/v1/sdk/validity/${assetId}`;
  const requests: Readonly<Record<string, string>> = {
    GET: head([`GET ${rules}/summary HTTP/1.1`, `Authorization: Bearer ${keys.readOnly}`]),
    POST: `${head([`POST ${rules} HTTP/1.1`, `Authorization: Bearer ${keys.readWrite}`, json, 'Content-Length: 2'])}{}`,
    PATCH: `${head([`PATCH ${rules}/v_1 HTTP/1.1`, `Authorization: Bearer ${keys.readWrite}`, json, 'Content-Length: 8'])}{"a":[]}`,
    upload: `${head([
      `POST /api/v1/assets/${assetId}/lineage/upload HTTP/1.1`,
      `Authorization: Bearer ${keys.admin}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Transfer-Encoding: chunked',
    ])}10\r\n--b\r\nContent-Disp\r\n0\r\n\r\n`,
    'no request': random.bytes(random.below(400)).toString('latin1'),
  };
  const kind = random.pick(Object.keys(requests));
  let text = requests[kind] ?? '';
  for (let changes = random.below(4) + 1; changes > 0; changes -= 1) {
    const at = random.below(text.length + 1);
    const cut = random.oneIn(3) ? random.below(20) : 0;
    text = text.slice(0, at) + random.pick(inserted) + text.slice(at + cut);
  }
  if (random.oneIn(5)) text = text.slice(0, random.below(text.length));
  return { kind, bytes: Buffer.from(text, 'latin1') };
}

/** Sends bytes and reads what comes, but waits for nothing: a request that is not whole gets no response for long. */
async function send(port: number, bytes: Buffer, resets: boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const client = connect(port, '127.0.0.1', () => {
    client.end(bytes, () => {
      if (resets) client.resetAndDestroy();
    });
  });
  const timer = setTimeout(() => client.destroy(), 500);
  client
    .on('error', () => undefined)
    .once('close', resolve)
    .resume();
  await promise;
  clearTimeout(timer);
}
