import { Command } from '@commander-js/extra-typings';

import { deliveryTimeout, eventTypes, localEventTypes } from '../../../contract/vocabulary.ts';
import { choice } from '../../choice.ts';
import { CliError } from '../../cli-error.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import type { Session } from '../../session.ts';
import { print } from '../../terminal.ts';
import { readText } from '../../text-file.ts';
import { webhookSecret } from '../../webhook-secret.ts';

/** `dq webhook send`. */
export const send = (session: Session) =>
  new Command('send')
    .description('send a signed test alert to a destination')
    .argument('<url>', 'https, or http to this machine')
    .option(
      '--secret <secret>',
      'what the delivery is signed with (environment: DATA_QUALITY_WEBHOOK_SECRET)',
    )
    .addOption(choice('--type <event_type>', 'default schema_change', [...eventTypes, ...localEventTypes]))
    .option('--payload <file>', 'send this JSON file instead')
    .option('--bearer <token>', 'sent as Authorization: Bearer <token>')
    .option('--api-key <key>', 'sent as X-API-Key: <key>')
    .option('--json', 'print the response as JSON')
    .addHelpText('after', examples)
    .action(async (target, { secret, type = 'schema_change', payload: file, bearer, apiKey, json }) => {
      const url = destination(target);
      const { signPayload } = await import('../../../webhooks/index.ts');
      const { sampleAlert } = await import('../../../testing/index.ts');
      const payload = file === undefined ? JSON.stringify(sampleAlert(type)) : await readText(file);
      const headers = new Headers({
        'content-type': 'application/json',
        'x-service-signature': await signPayload(payload, webhookSecret(secret)),
      });
      if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`);
      if (apiKey !== undefined) headers.set('x-api-key', apiKey);

      const started = performance.now();
      const response = await post(url, payload, headers, session.signal);
      const durationMs = Math.round(performance.now() - started);
      const delivered = response.status >= 200 && response.status < 300;
      print(
        json,
        { delivered, status: response.status, duration_ms: durationMs },
        () =>
          `${delivered ? 'Delivered' : 'Not delivered'}: ${url.host} responded with ${response.status} in ${durationMs} ms.`,
      );
      session.exitCode = delivered ? exitCode.done : exitCode.inconclusive;
    });

async function post(url: URL, body: string, headers: Headers, signal: AbortSignal): Promise<Response> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(deliveryTimeout)]),
    });
    await response.body?.cancel();
    return response;
  } catch (error) {
    if (signal.aborted) throw error;
    const { cause = error } = error as Error;
    throw new CliError(exitCode.inconclusive, `Not delivered to ${url.host}: ${String(cause)}`, {
      cause: error,
    });
  }
}

function destination(target: string): URL {
  if (!URL.canParse(target)) throw new CliError(exitCode.usage, `${target} is not an absolute URL.`);
  const url = new URL(target);
  const local = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && local)) return url;
  throw new CliError(
    exitCode.usage,
    `A destination must be https, or http to this machine, not ${url.origin}.`,
  );
}

const examples = `
Examples:
  $ dq webhook send http://127.0.0.1:8787 --secret s3cret
  $ dq webhook send https://hooks.example.com/dq --type freshness_violation --bearer "$TOKEN"`;
