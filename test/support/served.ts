import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type LocalServiceOptions, startLocalService } from 'data-quality-client/local';

import { testFolder } from './test-folder.ts';

export interface Answer {
  readonly status: number;
  // What a test reads of it, it also expects to be there.
  readonly body: { readonly data?: Record<string, unknown>; readonly error?: Record<string, unknown> };
}

export interface Sample {
  readonly row_id: number;
  readonly value: unknown;
}

/** What a check returned, as far as tests compare it. */
export interface Checked {
  readonly status: unknown;
  readonly total_rows: unknown;
  readonly invalid_count: unknown;
  readonly invalid_percent: unknown;
  readonly error_message: unknown;
  readonly samples: readonly Sample[];
}

/** A folder of files that is removed in the end. */
export async function dataFolder(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const parent = await mkdtemp(join(testFolder, 'dq-local-'));
  const path = join(parent, 'shop');
  await mkdir(path);
  const write = async (name: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  };
  for (const [name, content] of Object.entries(files)) await write(name, content);
  return {
    path,
    parent,
    write,
    [Symbol.asyncDispose]: async () => rm(parent, { recursive: true, force: true }),
  };
}

/** The local service over files, called as a client with no library would. */
export async function serve(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<LocalServiceOptions> = {},
) {
  const folder = await dataFolder(files);
  const service = await startLocalService({
    data: folder.path,
    allowDestinations: true,
    ...options,
  });
  const assetId = service.assets[0]?.id ?? '';

  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(service.url + path, {
      method,
      headers: { Authorization: `Bearer ${service.keys.readWrite}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = { status: response.status, body: (await response.json()) as Answer['body'] };
    if (response.status !== 429) return answer;
    await sleep(1000 * Number(response.headers.get('Retry-After')));
    return call(method, path, body);
  };

  const createRule = async (rule: Readonly<Record<string, unknown>>): Promise<string> => {
    const { body } = await call('POST', `/api/v1/sdk/validity/${assetId}`, rule);
    if (body.data === undefined) throw new Error(JSON.stringify(body));
    return String(body.data['uuid']);
  };

  const checkAgain = async (uuid: string, sampleLimit = 10): Promise<Checked> => {
    const path = `/api/v1/sdk/validity/${assetId}/${uuid}/check`;
    const { body } = await call('POST', path, { sample_limit: sampleLimit });
    const { data } = body;
    if (data === undefined) throw new Error(JSON.stringify(body));
    const found = data['invalid_samples'] as { samples: Sample[] } | null;
    return {
      status: data['status'],
      total_rows: data['total_rows'],
      invalid_count: data['invalid_count'],
      invalid_percent: data['invalid_percent'],
      error_message: data['error_message'],
      samples: found?.samples ?? [],
    };
  };

  return {
    service,
    folder,
    assetId,
    call,
    createRule,
    checkAgain,
    /** Creates a rule on a table of the schema `main`, unless its path is given, and checks it. */
    check: async (table: string, rule: Readonly<Record<string, unknown>>, sampleLimit?: number) => {
      const tablePath = table.includes('.') ? table : `${basename(folder.path)}.main.${table}`;
      return checkAgain(await createRule({ table_path: tablePath, ...rule }), sampleLimit);
    },
    /** Creates a metric and captures it. */
    capture: async (table: string, metric: Readonly<Record<string, unknown>>) => {
      const body = { table_path: `${basename(folder.path)}.main.${table}`, ...metric };
      const created = await call('POST', `/api/v1/sdk/metrics/${assetId}`, body);
      if (created.body.data === undefined) throw new Error(JSON.stringify(created.body));
      const id = String(created.body.data['id']);
      const captured = await call('POST', `/api/v1/sdk/metrics/${assetId}/${id}/capture`);
      return captured.body.data?.['snapshots'] as readonly Record<string, unknown>[];
    },
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A served folder. */
export type Served = Awaited<ReturnType<typeof serve>>;
