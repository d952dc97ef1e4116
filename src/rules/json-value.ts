/** A JSON object, whatever it contains. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as something that may have fields; what is no object has none. */
export function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** A field of an object, whether or not its type has it. */
export function fieldOf(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

/** The fields of an object that have a value. */
export function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
