import * as z from 'zod/mini';

import { defaultsSchema } from './defaults.ts';
import { definitionSchema, tableSchema } from './definition.ts';
import { variableFields } from './variables.ts';

const defaults = z.optional(defaultsSchema);
const { destinations, ...ofAsset } = definitionSchema.shape;

const assetSchema = z.strictObject({
  ...ofAsset,
  defaults,
  tables: z.record(z.string(), z.extend(tableSchema, { defaults })),
});

/**
 * The fields of the text of a definition: those of the definition, and those that shorten it. Only their names and places
 * are right: any value can be a variable, and an entry can have several columns.
 */
export const textSchema = z.strictObject({
  ...variableFields,
  ...assetSchema.shape,
  destinations,
  assets: z.record(z.string(), assetSchema),
});
