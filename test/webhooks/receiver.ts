// A receiver in a process of its own, to be killed: node receiver.ts <port> <journal> [<port of Redis>]
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';

import { createRedisDedupe, createWebhookHandler, toNodeHandler } from '../../src/webhooks/index.ts';

const [port, journal, redisPort] = process.argv.slice(2);
if (port === undefined || journal === undefined) throw new Error('port and journal are due');

const note = (what: 'start' | 'fail' | 'end', id: string): void =>
  appendFileSync(journal, `${what} ${id} ${process.pid}\n`);

const handle = createWebhookHandler({
  secret: 'whsec_für-tests',
  ...(redisPort === undefined ? {} : { dedupe: createRedisDedupe(new Redis(Number(redisPort))) }),
  handlingTimeout: 3_000,
  async onAlert({ alert: { id } }) {
    note('start', id);
    await sleep(5 + Math.random() * 25);
    if (Math.random() < 1 / 3) {
      note('fail', id);
      throw new Error('a third of them fails');
    }
    note('end', id);
  },
});

createServer(toNodeHandler(handle)).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
