import * as z from 'zod/mini';

import { nonEmptyText, type RequestSchema } from '../contract/field.ts';
import { thresholdMinutes, thresholdSchema } from '../contract/threshold.ts';
import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import type { Definition } from './definition.ts';

const maxAgeSchema = thresholdSchema.check(
  z.refine((value) => thresholdMinutes(value) !== 0, 'must be more than 0'),
);

const freshnessShape = {
  /** The oldest age allowed, such as `90m`, `24h` or `2d`. */
  max_age: maxAgeSchema,
};

/** How old the data of an asset may be. */
export const freshnessSchema: RequestSchema<typeof freshnessShape> = z.strictObject(freshnessShape);

/** How old the data of an asset may be. */
export interface FreshnessDefinition extends z.input<typeof freshnessSchema> {}

const tableFreshnessShape = {
  ...freshnessShape,
  /**
   * The column with the time of each row, for the local service.
   *
   * @default the one that the service is configured with
   */
  timestamp_column: z.optional(nonEmptyText),
};

/** How old the newest rows of a table may be. */
export const tableFreshnessSchema: RequestSchema<typeof tableFreshnessShape> =
  z.strictObject(tableFreshnessShape);

/** How old the newest rows of a table may be. */
export interface TableFreshness extends z.input<typeof tableFreshnessSchema> {}

/** How old the data of an asset, or of one of its tables, may be, as a gate takes it. */
export interface ExpectedFreshness {
  /** The id of the asset. */
  readonly assetId: string;
  /** The table, as `<catalog>.<schema>.<table>`; absent for the data of the asset as a whole. */
  readonly table_path?: string;
  /** The oldest age allowed, in minutes. */
  readonly maxAgeMinutes: number;
}

/**
 * Returns what a definition expects of the freshness of its asset and of its tables, for a gate.
 *
 * @example
 * const expectations = freshnessExpectations(assetId, definition);
 * await gate(client, assetId, { freshness: { expectations } });
 */
export function freshnessExpectations(assetId: string, definition: Definition): ExpectedFreshness[] {
  const { freshness, tables } = definition;
  const ofTables = Object.entries(tables).flatMap(([table_path, table]) =>
    table.freshness === undefined ? [] : [{ assetId, table_path, maxAgeMinutes: minutesOf(table.freshness) }],
  );
  return [
    ...(freshness === undefined ? [] : [{ assetId, maxAgeMinutes: minutesOf(freshness) }]),
    ...ofTables,
  ];
}

function minutesOf({ max_age }: FreshnessDefinition): number {
  const minutes = thresholdMinutes(max_age) ?? 0;
  if (minutes > 0) return minutes;
  const message = 'must be more than 0 and look like 90m, 24h or 2d';
  throw new InvalidRequestError('the definition', [{ path: ['freshness', 'max_age'], message }]);
}
