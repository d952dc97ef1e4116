import { DataQualityError } from '../errors/data-quality-error.ts';

/** Why a delivery was refused. */
export type WebhookVerificationReason =
  'missing_signature' | 'bad_signature' | 'bad_credentials' | 'body_already_parsed' | 'not_json';

/** A webhook delivery that cannot be trusted or read. */
export class WebhookVerificationError extends DataQualityError {
  override readonly name = 'WebhookVerificationError' as const;
  readonly code = 'WEBHOOK_VERIFICATION' as const;
  /** Why the delivery was refused. */
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
