import * as z from 'zod/mini';

import { anyObject, maybe, openEnum } from './field.ts';
import { eventTypes } from './vocabulary.ts';

/** An alert as the service delivers it to a webhook (interface: Payload shape). */
export const alertEventSchema = z.looseObject({
  event_type: maybe(openEnum(['alert.triggered'])),
  alert: maybe(
    z.looseObject({
      /** Unique; the same in every attempt to deliver this alert. */
      id: maybe(z.string()),
      rule_name: maybe(z.string()),
      alert_type: maybe(openEnum(['schema'])),
      status: maybe(openEnum(['triggered'])),
      /** ISO 8601, UTC. */
      created_at: maybe(z.string()),
    }),
  ),
  event: maybe(
    z.looseObject({
      type: maybe(openEnum(eventTypes)),
      change_type: maybe(z.string()),
      asset: maybe(
        z.looseObject({
          /** Dotted name. */
          qualified_name: maybe(z.string()),
          asset_type: maybe(openEnum(['table'])),
        }),
      ),
      details: maybe(anyObject),
    }),
  ),
  links: maybe(
    z.looseObject({
      alert_url: maybe(z.string()),
      asset_url: maybe(z.string()),
    }),
  ),
});

/** An alert as it arrives: any field may be missing. */
export type AlertPayload = z.infer<typeof alertEventSchema>;
