import { stat } from 'node:fs/promises';

import { type DataQualityClient, type Hooks, isApiError, type ResponseEvent } from '../index.ts';
import {
  type Configuration,
  missingAddress,
  missingKey,
  type Setting,
  withoutSecrets,
} from './configuration.ts';
import { describeDuration } from './duration.ts';
import { type ExitCode, exitCode, worstCode } from '../judgement/exit-code.ts';
import { isLocalService } from '../report/local-service.ts';
import { adviceOn, describeFailure, exitCodeOf } from './failure.ts';

/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'unknown';
  readonly message: string;
}

/** What `dq doctor` found, and what it ends with. */
export interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly exitCode: ExitCode;
}

// Ids that no service gives away: requesting them shows what the key may do and changes nothing.
const noAsset = '00000000-0000-4000-8000-000000000000';
const noRule = 'v_00000000-0000-4000-8000-000000000000';

/** Checks the settings, the service, the key and its scope, the asset, the clock and the limits. */
export async function diagnose(
  configuration: Configuration,
  makeClient: (hooks: Hooks) => Promise<DataQualityClient>,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const { baseUrl, apiKey } = configuration;
  if (baseUrl === undefined || apiKey === undefined) {
    return diagnoseWithout(configuration, signal);
  }
  let response: ResponseEvent | undefined;
  const client = await makeClient({ onResponse: (event) => void (response = event) });
  const asset = configuration.asset?.value;
  const findings: Finding[] = [settings(configuration), node(), ...(await openFiles(configuration))];

  const readError = await errorOf(client.validity.summary(asset ?? noAsset, { signal }));
  if (response === undefined) {
    findings.push({ check: 'service', status: 'failed', message: describeFailure(readError) });
    return { findings, exitCode: exitCodeOf(readError) };
  }
  const writeError = isStatus(readError, 401)
    ? readError
    : await errorOf(client.validity.check(asset ?? noAsset, noRule, {}, { signal }));
  findings.push(
    service(response, readError),
    key(readError),
    scope(writeError),
    ...(asset === undefined ? [] : [assetFinding(asset, readError)]),
    clock(response, Date.now()),
    limits(client),
    ...(isLocalService(response.headers) ? await health(baseUrl.value, signal) : []),
  );
  const failed = [readError, writeError].filter(
    (error) =>
      !(isApiError(error, 'RULE_NOT_FOUND') || isApiError(error, 'ASSET_NOT_FOUND') || isStatus(error, 403)),
  );
  const codes = failed.map((error) => (error === undefined ? exitCode.done : exitCodeOf(error)));
  if (asset !== undefined && isApiError(readError, 'ASSET_NOT_FOUND')) codes.push(exitCode.notFound);
  return { findings, exitCode: worstCode(codes) };
}

/** What can be found out if the key or the address is missing: whether something responds. */
async function diagnoseWithout(configuration: Configuration, signal: AbortSignal): Promise<Diagnosis> {
  const { apiKey, baseUrl } = configuration;
  const findings: Finding[] = [settings(configuration), node()];
  if (baseUrl === undefined) {
    findings.push({ check: 'service', status: 'failed', message: missingAddress });
  } else {
    findings.push(await reach(baseUrl.value, signal));
  }
  if (apiKey === undefined) findings.push({ check: 'key', status: 'failed', message: missingKey });
  return { findings, exitCode: baseUrl === undefined ? exitCode.usage : exitCode.key };
}

/** Sends a request without a key: any response shows that the service can be reached. */
async function reach(address: string, signal: AbortSignal): Promise<Finding> {
  const started = performance.now();
  try {
    const { status, body } = await fetch(address, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(reachTimeoutMs)]),
    });
    await body?.cancel();
    const took = describeDuration(performance.now() - started);
    return { check: 'service', status: 'ok', message: `responds with ${status} in ${took}` };
  } catch (error) {
    signal.throwIfAborted();
    const { cause = error } = error as { readonly cause?: unknown };
    const { code, message = String(cause) } = cause as { readonly code?: unknown; readonly message?: string };
    const advice = adviceOn(code);
    return { check: 'service', status: 'failed', message: [message, advice].filter(Boolean).join('. ') };
  }
}

/** What a local service says about its state and its data. */
async function health(address: string, signal: AbortSignal): Promise<readonly Finding[]> {
  try {
    const response = await fetch(new URL('/health', address), {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(reachTimeoutMs)]),
    });
    const { state, assets } = (await response.json()) as {
      readonly state: string;
      readonly assets: readonly { readonly name: string; readonly status: string }[];
    };
    const away = assets.filter(({ status }) => status !== 'ok').map(({ name }) => name);
    return [
      {
        check: 'state',
        status: state === 'ok' ? 'ok' : 'failed',
        message: state === 'ok' ? 'can be reached' : `cannot be reached: ${state}`,
      },
      away.length === 0
        ? { check: 'data', status: 'ok', message: assets.map(({ name }) => name).join(', ') }
        : { check: 'data', status: 'failed', message: `cannot be read: ${away.join(', ')}` },
    ];
  } catch (error) {
    signal.throwIfAborted();
    return [{ check: 'state', status: 'unknown', message: describeFailure(error) }];
  }
}

const reachTimeoutMs = 10_000;

function node(): Finding {
  // An older one does not get here.
  return { check: 'node', status: 'ok', message: `Node ${process.versions.node}` };
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    return error;
  }
}

function isStatus(error: unknown, status: number): boolean {
  return isApiError(error) && error.status === status;
}

function settings({ apiKey, baseUrl, asset }: Configuration): Finding {
  const parts = [
    baseUrl === undefined
      ? 'no service named'
      : `service ${withoutSecrets(baseUrl.value)} (${baseUrl.source})`,
    apiKey === undefined ? 'no key' : `key from ${apiKey.source}`,
    asset === undefined ? 'no asset named' : `asset ${asset.value} (${asset.source})`,
  ];
  const isComplete = baseUrl !== undefined && apiKey !== undefined;
  return { check: 'settings', status: isComplete ? 'ok' : 'failed', message: parts.join(', ') };
}

/** A key in a file that others can read is not a secret. */
async function openFiles({ apiKey }: Configuration): Promise<readonly Finding[]> {
  if (apiKey === undefined || process.platform === 'win32' || !isFile(apiKey)) return [];
  const { mode } = await stat(apiKey.source);
  if ((mode & 0o077) === 0) return [];
  const message = `${apiKey.source} contains a key and can be read by others: chmod 600 ${apiKey.source}`;
  return [{ check: 'settings', status: 'warning', message }];
}

function isFile({ source }: Setting): boolean {
  return source.endsWith('.json');
}

function service(response: ResponseEvent, error: unknown): Finding {
  const took = describeDuration(response.durationMs);
  if (error !== undefined && (!isApiError(error) || error.status >= 500)) {
    return { check: 'service', status: 'failed', message: describeFailure(error) };
  }
  return { check: 'service', status: 'ok', message: `responds in ${took}` };
}

function key(error: unknown): Finding {
  if (isStatus(error, 401)) return { check: 'key', status: 'failed', message: 'missing or invalid' };
  const known = error === undefined || isStatus(error, 403) || isStatus(error, 404);
  return known
    ? { check: 'key', status: 'ok', message: 'valid' }
    : { check: 'key', status: 'unknown', message: 'the response does not show it' };
}

function scope(error: unknown): Finding {
  if (isApiError(error, 'FORBIDDEN')) {
    const { current_scope: current = 'read-only' } = error.details;
    return {
      check: 'scope',
      status: 'ok',
      message: `${current}: reads, but changes, checks and captures nothing`,
    };
  }
  if (isApiError(error, 'RULE_NOT_FOUND')) {
    return { check: 'scope', status: 'ok', message: 'read-write or admin' };
  }
  if (isApiError(error, 'ASSET_NOT_FOUND')) {
    return { check: 'scope', status: 'unknown', message: 'at least read-only; name an --asset to find out' };
  }
  return { check: 'scope', status: 'unknown', message: 'the response does not show it' };
}

function assetFinding(asset: string, error: unknown): Finding {
  if (error === undefined) return { check: 'asset', status: 'ok', message: `${asset} is there` };
  return isApiError(error, 'ASSET_NOT_FOUND')
    ? { check: 'asset', status: 'failed', message: `${asset} does not exist, or this key may not see it` }
    : { check: 'asset', status: 'unknown', message: 'the response does not show it' };
}

const tolerableSkewMs = 5000;

/** The service's clock counts whole seconds, and its response took a while to arrive. */
function clock(response: ResponseEvent, receivedAt: number): Finding {
  const theirs = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(theirs))
    return { check: 'clock', status: 'unknown', message: 'the response does not show it' };
  const skew = receivedAt - response.durationMs / 2 - (theirs + 500);
  if (Math.abs(skew) <= tolerableSkewMs) {
    return { check: 'clock', status: 'ok', message: 'agrees with that of the service' };
  }
  const direction = skew > 0 ? 'ahead of' : 'behind';
  const message = `this machine is ${describeDuration(Math.abs(skew))} ${direction} the service`;
  return { check: 'clock', status: 'warning', message };
}

function limits({ rateLimit }: DataQualityClient): Finding {
  if (rateLimit === undefined) {
    return { check: 'limits', status: 'unknown', message: 'the service announced none' };
  }
  const { limit, remaining, resetAt } = rateLimit;
  const left = `${remaining} of ${limit} requests left until ${resetAt.toISOString()}`;
  return { check: 'limits', status: remaining === 0 ? 'warning' : 'ok', message: left };
}
