import { setTimeout as wait } from 'node:timers/promises';

import { kill, start } from '../support/process.ts';
import { dataFolder } from '../support/served.ts';
import type { Played } from './instrument.ts';

/** How a call of the service was responded to. */
export interface Response {
  readonly status: number;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A local service in a process of its own, over a folder of its own. */
export interface ServedProcess {
  readonly port: number;
  readonly assetId: string;
  /** The data folder. */
  readonly folder: string;
  readonly call: (method: string, path: string, body?: unknown) => Promise<Response>;
  /** Whether it has ended, or no longer responds. */
  readonly problems: () => Promise<string[]>;
  /** Asks it to end, which it must within seconds. */
  readonly end: () => Promise<readonly Played[]>;
}

/** Milliseconds that a service may take to end. */
const longestEnd = 15_000;

/** Starts a service over files. */
export async function startServedProcess(
  files: Readonly<Record<string, string | Uint8Array>>,
  queryTimeout?: number,
): Promise<ServedProcess> {
  const folder = await dataFolder(files);
  const running = await start(folder.path, 0, '', queryTimeout);
  const { child, url, assetId } = running;
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: 'Bearer writer', 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(60_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== 429) {
      return { status: response.status, text, data: (JSON.parse(text) as Pick<Response, 'data'>).data ?? {} };
    }
    await wait(1000 * Number(response.headers.get('Retry-After')));
    return call(method, path, body);
  };
  const problems = async (): Promise<string[]> => {
    if (child.exitCode !== null || child.signalCode !== null) {
      return [`the service ended with ${child.signalCode ?? child.exitCode}`];
    }
    const { status } = await call('GET', `/api/v1/sdk/validity/${assetId}/summary`).catch(() => ({
      status: 0,
    }));
    return status === 200 ? [] : [`the service responded with ${status}`];
  };
  return {
    port: Number(new URL(url).port),
    assetId,
    folder: folder.path,
    call,
    problems,
    async end() {
      const found = await problems();
      const ended = new Promise<boolean>((resolve) => {
        child.once('exit', () => resolve(true));
        setTimeout(() => resolve(child.exitCode !== null || child.signalCode !== null), longestEnd).unref();
      });
      child.kill('SIGTERM');
      if (!(await ended)) found.push('SIGTERM did not end it');
      await kill(running);
      await folder[Symbol.asyncDispose]();
      return [{ kind: 'the service lives, and ends when asked', problems: found }];
    },
  };
}
