import {
  metricSnapshotSchema,
  paginationSchema,
  validityRuleDetailSchema,
} from 'data-quality-client/schemas';
import * as z from 'zod/mini';

/** The answers as a whole, for the contestants that are put together by hand. */
export const ruleBodySchema = z.looseObject({ data: validityRuleDetailSchema });
export const snapshotsBodySchema = z.looseObject({
  data: z.looseObject({ items: z.array(metricSnapshotSchema) }),
  pagination: paginationSchema,
});
