import type { ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';

import { check } from '../contract/check.ts';
import type { SampleMode } from '../gate/index.ts';
import { describeInput, describeOutput, type JsonSchema } from './field-descriptions.ts';

/** What a model may do with the service, and what it may see. */
export interface ToolOptions {
  /** The asset that a tool uses if a call names none. */
  readonly asset: string | undefined;
  /** The most that a tool shows of the values of invalid rows. */
  readonly samples: SampleMode;
  /** The folder whose files may be uploaded. */
  readonly folder: string;
}

/** What a call of a tool has beside its input. */
export interface ToolContext {
  /** Aborts if the caller cancels the call. */
  readonly signal: AbortSignal;
  /** Reports progress to a caller that asked for it. */
  readonly onProgress: (done: number, total: number, message: string) => void;
}

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A tool, whatever serves it. */
export interface Tool<Input extends JsonObject = JsonObject> {
  /** Such as `validity_list`. */
  readonly name: string;
  /** What a person sees. */
  readonly title: string;
  /** What a model reads to decide whether and how to use it. */
  readonly description: string;
  /** What a call must contain. */
  readonly input: z.ZodMiniType<Input>;
  /** What a model sees instead, if the input is checked more closely than can be said in few words. */
  readonly advertised?: z.ZodMiniType;
  /** What a call returns. */
  readonly output: z.ZodMiniType;
  /** What it does to the service. */
  readonly effect: ToolEffect;
  /** What to do to see the part of a result that was cut off. */
  readonly more: string;
  /** Does it. */
  readonly run: (input: Input, context: ToolContext) => Promise<JsonObject>;
}

/** What a tool does to the service. */
export interface ToolEffect {
  /** Whether it leaves everything as it is. */
  readonly readOnly: boolean;
  /** Whether something that was there can be gone or different after it. */
  readonly destructive: boolean;
  /** Whether calling it twice leaves what calling it once does. */
  readonly idempotent: boolean;
}

/** The effect of a tool that only reads. */
export const reads: ToolEffect = { readOnly: true, destructive: false, idempotent: true };

/** Returns the tool without the type of its input, which its own schema guards. */
export function defineTool<Input extends JsonObject>(tool: Tool<Input>): Tool {
  // The schema that the type of the input comes from is what each call is held against first.
  return tool as unknown as Tool;
}

/** The parameter that names the asset; optional if there is a default. */
export function assetParameter(asset: string | undefined): z.ZodMiniType<string | undefined> {
  const id = z.string().check(z.minLength(1, 'must not be empty'));
  return asset === undefined ? id : z.optional(id);
}

/** The sample modes that a call may choose from, and the one that applies if it names none. */
export function sampleModes(most: SampleMode): {
  readonly allowed: SampleMode[];
  readonly usual: SampleMode;
} {
  const all = ['none', 'masked', 'full'] as const;
  return { allowed: all.slice(0, all.indexOf(most) + 1), usual: most === 'none' ? 'none' : 'masked' };
}

/** Makes of a schema what the protocol needs: a validation with messages of this package, and a described JSON Schema. */
export function toStandardSchema<Value>(
  schema: z.ZodMiniType<Value>,
  {
    asset,
    advertised = schema,
  }: { readonly asset?: string | undefined; readonly advertised?: z.ZodMiniType | undefined } = {},
): StandardSchemaWithJSON<Value> {
  const toJson = (describe: (json: JsonSchema) => void): (() => Record<string, unknown>) => {
    let made: Record<string, unknown> | undefined;
    return () => {
      if (made !== undefined) return made;
      const { $schema: _version, ...json } = z.toJSONSchema(advertised, { io: 'input' });
      describe(json as JsonSchema);
      made = json;
      return json;
    };
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'data-quality-client',
      validate: (value) => {
        const checked = check(schema, value);
        return 'issues' in checked ? { issues: checked.issues } : checked;
      },
      jsonSchema: {
        input: toJson((json) => describeInput(json, asset)),
        output: toJson(describeOutput),
      },
    },
  };
}

/** What of the protocol's context a tool needs. */
export function toToolContext({ mcpReq }: ServerContext): ToolContext {
  const { signal, _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  return {
    signal,
    onProgress: (progress, total, message) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total, message };
      // A caller that does not hear of the progress still gets the result.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}
