import * as z from 'zod/mini';

import type { AnyDescription } from '../contract/description.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { endpoints } from '../contract/endpoints.ts';
import { toSchema } from '../contract/response-schemas.ts';
import { type SampleMode, withLimitedSamples } from '../gate/samples.ts';
import type { DataQualityClient, Page } from '../index.ts';
import { asRecord } from '../judgement/field.ts';
import { type EndpointTool, endpointWording } from './endpoint-wording.ts';
import { manifestIn } from './manifest.ts';
import { mergeVariants } from './merge-variants.ts';
import { assetParameter, type JsonObject, sampleModes, type Tool, type ToolOptions } from './tool.ts';

/** Items that a list returns if a call names no limit, and at most. */
const page = { usual: 20, most: 100 } as const;

/** Makes a tool of every endpoint of the interface. */
export function endpointTools(client: DataQualityClient, options: ToolOptions): Tool[] {
  return Object.entries(endpoints).flatMap(([resource, ofResource]) =>
    Object.entries<Endpoint>(ofResource).map(([method, endpoint]) => {
      const call = methodOf(client, resource, method);
      // The cast states how the keys of the registry make the names of the tools.
      return toTool(`${resource}_${method}` as EndpointTool, endpoint, call, options);
    }),
  );
}

/** A method of the client: what its path needs, then what it sends, then the options of the request. */
type ClientMethod = (...args: readonly unknown[]) => Promise<unknown>;

function methodOf(client: DataQualityClient, resource: string, method: string): ClientMethod {
  // Every endpoint of the registry is a method of the client, by the same names: a test holds the two together.
  const owner = client[resource as 'validity'] as unknown as Readonly<Record<string, ClientMethod>>;
  return async (...args) => owner[method]?.(...args);
}

function toTool(name: EndpointTool, endpoint: Endpoint, call: ClientMethod, options: ToolOptions): Tool {
  const { summary, method, retry, envelope } = endpoint;
  const { title, advice } = endpointWording[name];
  const isList = envelope === 'list';
  return {
    name,
    title,
    description: `${summary} ${advice}`,
    ...inputOf(endpoint, options),
    output: outputOf(endpoint),
    effect: {
      readOnly: retry === 'safe',
      destructive: method === 'DELETE' || method === 'PATCH',
      idempotent: retry !== 'never',
    },
    more: isList
      ? 'Call again with offset set to next_offset.'
      : 'Ask for less, with the limits of this tool or of one that lists pages.',
    run: async (input, { signal }) => {
      const { asset_id = options.asset, samples = sampleModes(options.samples).usual, ...rest } = input;
      const sent = isList ? { limit: page.usual, ...rest } : rest;
      const result = await call(...(await toArguments(endpoint, { asset_id, ...sent }, options)), { signal });
      // The enumeration of the input allows nothing else.
      if (!isList) return withLimitedSamples(asRecord(result), samples as SampleMode);
      // A method of a list endpoint returns its page.
      return showPage(result as Page<unknown>);
    },
  };
}

/** All fields of a request side by side. */
function inputOf(
  { name, envelope, request }: Endpoint,
  options: ToolOptions,
): Pick<Tool, 'input' | 'advertised'> {
  const { allowed } = sampleModes(options.samples);
  const asset_id = assetParameter(options.asset);
  const shape = {
    ...shapeOf(request.params),
    asset_id,
    ...shapeOf(request.query),
    ...shapeOf(request.body),
    ...(request.file !== undefined && { manifest_path: z.string().check(z.minLength(1)) }),
    ...(envelope === 'list' && { limit: z.optional(z.int().check(z.gte(1), z.lte(page.most))) }),
    ...(name === 'validity.check' && { samples: z.optional(z.enum(allowed)) }),
  };
  if (!(request.body instanceof z.ZodMiniDiscriminatedUnion)) return { input: z.strictObject(shape) };
  // The client names the field that does not fit the variant; a merged schema could not.
  const advertised = z.strictObject({ ...shape, ...mergeVariants(request.body) });
  return { input: z.looseObject({ asset_id }), advertised };
}

function outputOf({ response, envelope }: Endpoint): z.ZodMiniType {
  // Every response of the registry is described, not a schema of its own.
  const value = toSchema(response as AnyDescription);
  const note = z.optional(z.string());
  if (envelope !== 'list') return z.extend(value as z.ZodMiniObject, { note });
  return z.looseObject({
    items: z.array(value),
    total: z.optional(z.number()),
    has_more: z.boolean(),
    next_offset: z.optional(z.number()),
    note,
  });
}

async function toArguments(
  { path, request }: Endpoint,
  input: JsonObject,
  { folder }: ToolOptions,
): Promise<readonly unknown[]> {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const ids = names.map((name) => input[name]);
  const { manifest_path: manifest, ...fields } = input;
  const sent = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  if (request.file !== undefined) return [...ids, await manifestIn(folder, String(manifest)), {}];
  if (request.query === undefined && request.body === undefined) return ids;
  return [...ids, sent];
}

function showPage(shown: Page<unknown>): JsonObject {
  const { items, pagination, nextOffset } = shown;
  const { total } = pagination;
  const hasMore = shown.hasNextPage();
  return {
    items,
    ...(typeof total === 'number' && { total }),
    has_more: hasMore,
    ...(hasMore && { next_offset: nextOffset }),
  };
}

function isObject(schema: unknown): schema is z.ZodMiniObject {
  return schema instanceof z.ZodMiniObject;
}

function shapeOf(schema: unknown): Readonly<Record<string, z.core.$ZodType>> {
  return isObject(schema) ? schema.shape : {};
}
