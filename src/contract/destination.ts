import * as z from 'zod/mini';

import { nonEmptyText, type RequestSchema } from './field.ts';

const destinationShape = {
  /**
   * A descriptive name.
   *
   * @default the scheme, host and port of its url
   */
  name: z.optional(nonEmptyText),
  /** Where alerts are sent to: https, or http on this machine. */
  url: z.url('must be a URL'),
  /** The credentials of each delivery: `Authorization: Bearer …` or `X-API-Key: …`; by default none. */
  auth: z.optional(
    z.union([z.strictObject({ bearer: nonEmptyText }), z.strictObject({ api_key: nonEmptyText })]),
  ),
  /** Headers of each delivery. */
  headers: z.optional(z.record(z.string(), z.string())),
  /** The secret that signs each delivery; by default none is signed. */
  secret: z.optional(nonEmptyText),
  /**
   * Whether its name may lead to a private address.
   *
   * @default false
   */
  private: z.optional(z.boolean()),
};

/** Where alerts are delivered to. */
export const destinationSchema: RequestSchema<typeof destinationShape> = z.strictObject(destinationShape);

/**
 * Where alerts are delivered to. The interface describes destinations and has no endpoint for them: the local service
 * reads them from files.
 */
export interface DestinationConfiguration extends z.input<typeof destinationSchema> {}
