import { CliError } from './cli-error.ts';
import { exitCode } from '../judgement/exit-code.ts';

/** The secret deliveries are signed with. Ends the command if it is missing. */
export function webhookSecret(flag: string | undefined): string {
  const secret = flag ?? process.env['DATA_QUALITY_WEBHOOK_SECRET'];
  if (secret !== undefined && secret !== '') return secret;
  throw new CliError(exitCode.usage, 'No secret: set DATA_QUALITY_WEBHOOK_SECRET or give --secret.');
}
