import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Command } from '@commander-js/extra-typings';

import type { AlertEvent, WebhookHandlerOptions } from '../../../webhooks/index.ts';
import { CliError } from '../../cli-error.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import { wholeNumber } from '../../number.ts';
import type { Session } from '../../session.ts';
import { stripControlCharacters } from '../../../printable.ts';
import { message, printLine, stdoutColors, writeText } from '../../terminal.ts';
import { webhookSecret } from '../../webhook-secret.ts';

/** `dq webhook listen`. */
export const listen = (session: Session) =>
  new Command('listen')
    .description('print every alert whose signature or credentials are right, until Ctrl-C')
    .option('--secret <secret>', 'what deliveries are signed with (environment: DATA_QUALITY_WEBHOOK_SECRET)')
    .option(
      '--bearer <token>',
      'accept deliveries with Authorization: Bearer <token>; they need no secret then',
    )
    .option('--api-key <key>', 'accept deliveries with X-API-Key: <key>; they need no secret then')
    .option('--port <port>', 'default 8787; 0 for any free one', wholeNumber(0))
    .option('--host <host>', 'default 127.0.0.1')
    .option('--json', 'print one alert per line as JSON')
    .addHelpText('after', examples)
    .action(async ({ secret, bearer, apiKey, port = 8787, host = '127.0.0.1', json }) => {
      const { createWebhookHandler, toNodeHandler } = await import('../../../webhooks/index.ts');
      let received = 0;
      const handle = createWebhookHandler({
        ...accepted(secret, { bearer, apiKey }),
        onAlert: (alert) => {
          received += 1;
          if (json === true) printLine(alert);
          else writeText(describe(alert));
        },
        onError: (error) =>
          message(error instanceof Error ? error.message : `Delivery refused: ${String(error)}`),
      });
      const server = createServer(toNodeHandler(handle));
      const ended = once(session.signal, 'abort');
      server.listen(port, host);
      await once(server, 'listening').catch((cause: Error) => {
        throw new CliError(exitCode.usage, `Can't listen on ${host}:${port}: ${cause.message}`, { cause });
      });
      const { port: actualPort } = server.address() as AddressInfo;
      message(`Listening on http://${host.includes(':') ? `[${host}]` : host}:${actualPort}; Ctrl-C ends.`);
      await ended;
      server.close();
      server.closeAllConnections();
      message(`${received} ${received === 1 ? 'alert' : 'alerts'} received.`);
    });

/** Credentials suffice if no secret is given; a user who gives both wants both checked. */
function accepted(
  secret: string | undefined,
  { bearer, apiKey }: { readonly bearer: string | undefined; readonly apiKey: string | undefined },
): Pick<WebhookHandlerOptions, 'secret' | 'auth'> {
  if (bearer !== undefined && apiKey !== undefined) {
    throw new CliError(exitCode.usage, 'A destination sends one of --bearer and --api-key, not both.');
  }
  if (bearer === undefined && apiKey === undefined) return { secret: webhookSecret(secret) };
  const given = secret ?? (process.env['DATA_QUALITY_WEBHOOK_SECRET'] || undefined);
  return { secret: given, auth: bearer === undefined ? { apiKey: apiKey ?? '' } : { bearer } };
}

function describe({ alert, event, links }: AlertEvent): string {
  const what = event.change_type === '' ? event.type : `${event.type} (${event.change_type})`;
  const details = Object.entries(event.details).map(([name, value]) => `${name}=${String(value)}`);
  return [
    stripControlCharacters(alert.created_at),
    stdoutColors.bold(stripControlCharacters(what)),
    ...[event.asset.qualified_name, alert.rule_name, ...details, links.alert_url].map(stripControlCharacters),
  ]
    .filter((part) => part !== '')
    .join('  ');
}

const examples = `
Examples:
  $ DATA_QUALITY_WEBHOOK_SECRET=… dq webhook listen --port 8787
  $ dq webhook listen --json | jq .event.type`;
