import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import * as tls from 'node:tls';

import { ConnectionError } from '../../src/index.ts';
import type { Instrument, Played, Stage } from './instrument.ts';
import { calls, hold, patient } from './promises.ts';
import type { Random } from './random.ts';
import { type RawService, startRawService } from './raw-service.ts';
import { frame } from './wire-formats.ts';
import { testFolder } from '../support/test-folder.ts';

interface Identity {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** Connections that break while they are encrypted, and certificates that nobody should trust. */
export const brokenTls: Instrument = { concurrency: 4, start };

async function start(): Promise<Stage | string> {
  if (spawnSync('openssl', ['version'], { stdio: 'ignore' }).status !== 0) return 'openssl is not installed';
  if (!('setDefaultCACertificates' in tls)) return 'this Node cannot trust a certificate for a while';
  const trusted = await makeCertificate('IP:127.0.0.1');
  const stranger = await makeCertificate('IP:127.0.0.1');
  const otherHost = await makeCertificate('DNS:elsewhere.example');
  const usual = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...usual, String(trusted.cert), String(otherHost.cert)]);
  return {
    play: async (index, random) => {
      const turn = Math.floor(index / 4);
      if (index % 4 === 0) return untrusted('self-signed certificate', stranger, turn);
      if (index % 4 === 1) return untrusted('certificate of another host', otherHost, turn);
      if (index % 4 === 2) return garbled(turn, random);
      return broken(trusted, turn, random);
    },
    async end() {
      tls.setDefaultCACertificates(usual);
      return [];
    },
  };
}

async function makeCertificate(name: string): Promise<Identity> {
  const folder = await mkdtemp(join(testFolder, 'dq-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const how = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  const subject = ['-subj', '/CN=dq test', '-addext', `subjectAltName=${name}`];
  const made = spawnSync('openssl', [...how, ...subject, '-keyout', key, '-out', cert]);
  if (made.status !== 0) throw new Error(`openssl: ${String(made.stderr)}`);
  const identity = { key: await readFile(key), cert: await readFile(cert) };
  await rm(folder, { recursive: true });
  return identity;
}

function callOf(turn: number) {
  // The index is below the length.
  return calls[turn % calls.length] as (typeof calls)[number];
}

/** A service that speaks TLS well, but that nobody can know. */
async function untrusted(kind: string, identity: Identity, turn: number): Promise<Played> {
  const call = callOf(turn);
  const service = await startRawService((socket) => socket.end(frame(call.body, 'content-length')), identity);
  try {
    const { ending, problems } = await hold(
      call,
      `https://127.0.0.1:${service.port}`,
      service.received,
      patient,
    );
    const { error } = { error: undefined, ...ending };
    if (!(error instanceof ConnectionError)) problems.push(`ended with ${String(error)}`);
    else if (error.attempts !== 1 || error.mayHaveBeenProcessed)
      problems.push(`was sent again: ${error.message}`);
    if (service.received.length > 0) problems.push('the request, and with it the key, was sent');
    return { kind, problems };
  } finally {
    await service.close();
  }
}

/** A service that does not speak TLS at all, or stops. */
async function garbled(turn: number, random: Random): Promise<Played> {
  const call = callOf(turn);
  const bytes = random.pick([
    random.bytes(random.below(200)),
    Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
    Buffer.from([0x15, 3, 3, 0, 2, 2, random.below(120)]),
    Buffer.from([0x16, 3, 3, 0xff, 0xff]),
  ]);
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(bytes));
  });
  const port = await listening(server);
  try {
    const { ending, problems } = await hold(call, `https://127.0.0.1:${port}`, []);
    if (!('error' in ending)) problems.push('returned a value');
    return { kind: 'no TLS', problems };
  } finally {
    server.close();
  }
}

/** A proxy that passes on what a service sends up to some byte, then cuts or changes it. */
async function broken(identity: Identity, turn: number, random: Random): Promise<Played> {
  const call = callOf(turn);
  const service = await startRawService((socket) => socket.end(frame(call.body, 'chunked')), identity);
  const at = random.below(2600);
  const fault = random.pick(['cut', 'reset', 'stall', 'flip'] as const);
  const proxy = await breakingProxy(service, at, fault);
  try {
    const { ending, problems } = await hold(call, `https://127.0.0.1:${proxy.port}`, service.received);
    if ('value' in ending && JSON.stringify(ending.value) !== JSON.stringify(call.value)) {
      problems.push(`returned ${JSON.stringify(ending.value)}`);
    }
    return {
      kind: `TLS ${fault}`,
      problems: problems.map((problem) => `byte ${at}, ${call.name}: ${problem}`),
    };
  } finally {
    proxy.close();
    await service.close();
  }
}

async function breakingProxy(
  service: RawService,
  at: number,
  fault: 'cut' | 'reset' | 'stall' | 'flip',
): Promise<{ readonly port: number; readonly close: () => void }> {
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const upstream = connect(service.port, '127.0.0.1');
    for (const side of [socket, upstream]) {
      sockets.add(side);
      side.on('error', () => undefined);
    }
    socket.pipe(upstream);
    let passed = 0;
    upstream.on('data', (chunk: Buffer) => {
      const [begin, end] = [passed, passed + chunk.byteLength];
      passed = end;
      if (end <= at || (begin > at && fault === 'flip')) return void socket.write(chunk);
      if (begin > at) return;
      if (fault === 'flip') {
        const changed = Buffer.from(chunk);
        changed[at - begin] = (changed[at - begin] ?? 0) ^ 0x55;
        return void socket.write(changed);
      }
      socket.write(chunk.subarray(0, at - begin), () => {
        if (fault === 'cut') socket.end();
        if (fault === 'reset') socket.resetAndDestroy();
      });
    });
    upstream.on('end', () => socket.end());
  });
  const port = await listening(proxy);
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server has an address with a port, other than one on a pipe.
  return (server.address() as { readonly port: number }).port;
}
