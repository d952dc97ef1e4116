// Whoever checks responses of their own needs the schema of each: every endpoint has one in `./schemas`.
import type { Endpoint, Endpoints } from 'data-quality-client/schemas';
import * as schemas from 'data-quality-client/schemas';
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';

import type { AnyDescription, FieldKind } from '../../src/contract/description.ts';

type ValueOf<One> =
  One extends Endpoint<infer _Params, infer _Query, infer _Body, infer Value> ? Value : never;

/** The schema of what each endpoint returns. One that is missing, or is of something else, does not compile. */
const schemaOf = {
  validity: {
    summary: schemas.validitySummarySchema,
    list: schemas.validityRuleSchema,
    get: schemas.validityRuleDetailSchema,
    create: schemas.validityRuleSchema,
    update: schemas.validityRuleDetailSchema,
    delete: schemas.deletionSchema,
    check: schemas.validityCheckSchema,
    results: schemas.validityCheckResultSchema,
  },
  metrics: {
    summary: schemas.metricsSummarySchema,
    list: schemas.metricSchema,
    get: schemas.metricDetailSchema,
    create: schemas.metricSchema,
    update: schemas.metricSchema,
    delete: schemas.deletionSchema,
    capture: schemas.metricCaptureSchema,
    snapshots: schemas.metricSnapshotSchema,
  },
  freshness: {
    get: schemas.freshnessSchema,
    overview: schemas.freshnessEnvelopeSchema,
  },
  lineage: {
    upload: schemas.lineageUploadSchema,
  },
} satisfies {
  readonly [Resource in keyof Endpoints]: {
    readonly [Name in keyof Endpoints[Resource]]: z.core.$ZodType<ValueOf<Endpoints[Resource][Name]>>;
  };
};

const pairs = Object.entries(schemas.endpoints).flatMap(([resource, ofResource]) =>
  Object.entries(ofResource).map(([name, endpoint]) => {
    const ofNames: Readonly<Record<string, Readonly<Record<string, z.ZodMiniType>>>> = schemaOf;
    const schema = ofNames[resource]?.[name];
    return { name: `${resource}.${name}`, response: endpoint.response as AnyDescription, schema };
  }),
);

function valueOf(kind: FieldKind | undefined): unknown {
  if (typeof kind === 'object') return [objectOf(kind[0])];
  return { string: 'text', number: 1, boolean: true, object: {} }[kind ?? 'object'];
}

function objectOf({ required = {}, nullable = {} }: AnyDescription): Record<string, unknown> {
  const fields = Object.entries({ ...nullable, ...required });
  return Object.fromEntries(fields.map(([name, kind]) => [name, valueOf(kind)]));
}

test.each(pairs)(
  'the schema of $name takes what the client takes, and nothing less',
  ({ response, schema }) => {
    const whole = objectOf(response);
    expect(schema?.safeParse(whole).success).toBe(true);
    for (const [name, kind] of Object.entries({ ...response.nullable, ...response.required })) {
      const odd = kind === 'number' ? 'text' : 1;
      expect(schema?.safeParse({ ...whole, [name]: odd }).success).toBe(false);
    }
    for (const name of Object.keys(response.required ?? {})) {
      const { [name]: _left, ...others } = whole;
      expect(schema?.safeParse(others).success).toBe(false);
    }
  },
);
