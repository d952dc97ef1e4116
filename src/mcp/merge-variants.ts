import * as z from 'zod/mini';

/**
 * Merges the variants of an object into one object with the fields of all, each optional unless every variant needs
 * it: models fill in one flat object better than one of several, and read a sixth of the text.
 */
export function mergeVariants(union: z.ZodMiniDiscriminatedUnion): Readonly<Record<string, z.core.$ZodType>> {
  const variants = union.def.options.filter((option) => option instanceof z.ZodMiniObject);
  const fields = new Map<string, z.core.$ZodType[]>();
  for (const { shape } of variants) {
    for (const [name, field] of Object.entries(shape)) fields.set(name, [...(fields.get(name) ?? []), field]);
  }
  return Object.fromEntries(
    [...fields].map(([name, each]) => {
      const isOptional = each.length < variants.length || each.some((field) => isOptionalField(field));
      const merged = mergeFields([...new Set(each.map(withoutOptional))]);
      return [name, isOptional ? z.optional(merged) : merged];
    }),
  );
}

function mergeFields(fields: readonly z.core.$ZodType[]): z.core.$ZodType {
  const [first, ...others] = fields;
  if (first !== undefined && others.length === 0) return first;
  const values = fields.flatMap((field) => (field instanceof z.ZodMiniLiteral ? field.def.values : []));
  return values.length >= fields.length ? z.literal(values) : z.union([...fields]);
}

function isOptionalField(field: z.core.$ZodType): boolean {
  return field instanceof z.ZodMiniOptional;
}

function withoutOptional(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodMiniOptional ? withoutOptional(field.def.innerType) : field;
}
