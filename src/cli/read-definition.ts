import { closest } from '../closest.ts';
import { exitCode } from '../judgement/exit-code.ts';
import type { DestinationConfiguration, TableFreshnessOptions } from '../local/index.ts';
import type { AssetDefinition, Definition } from '../rules/index.ts';
import { CliError } from './cli-error.ts';
import { requiredAsset } from './connection.ts';
import type { ConnectionOptions } from './configuration.ts';
import { readText } from './text-file.ts';

/** The flags that say how a definition is read. */
export interface DefinitionFlags {
  readonly var?: Readonly<Record<string, string>> | undefined;
  readonly environment?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly owner?: readonly string[] | undefined;
}

/** A definition and the id of its asset. */
export interface DefinitionOfAsset {
  readonly assetId: string;
  readonly definition: Definition;
}

/**
 * Reads the definitions of assets from files the user named. Ends the command if one cannot be read or is not valid,
 * or if nothing in them has a tag or an owner to select by.
 */
export async function readDefinitions(
  files: readonly string[],
  flags: DefinitionFlags,
): Promise<readonly AssetDefinition[]> {
  const { parseDefinitions } = await import('../rules/index.ts');
  const texts = await Promise.all(files.map(async (source) => ({ source, text: await readText(source) })));
  const definitions = parseDefinitions(texts, { variables: flags.var, environment: flags.environment });
  const entries = definitions
    .flatMap(({ definition }) => Object.values(definition.tables))
    .flatMap(({ rules = [], metrics = [] }) => [rules, metrics].flat());
  refuseUnknown('tag', flags.tag, new Set(entries.flatMap(({ tags = [] }) => tags)));
  refuseUnknown('owner', flags.owner, new Set(entries.flatMap(({ owner }) => owner ?? [])));
  return definitions;
}

/**
 * Gives each definition the id of its asset: the one it names, or else that of the connection. `--asset` selects among
 * those that are named. Ends the command if it selects none.
 */
export async function withAssets(
  definitions: readonly AssetDefinition[],
  connection: ConnectionOptions,
): Promise<readonly DefinitionOfAsset[]> {
  if (definitions.some(({ asset }) => asset === null)) {
    const assetId = await requiredAsset(connection);
    return definitions.map(({ definition }) => ({ assetId, definition }));
  }
  const named = definitions.map(({ asset, definition }) => ({ assetId: String(asset), definition }));
  const selected = named.filter(({ assetId }) => assetId === (connection.asset ?? assetId));
  if (selected.length > 0) return selected;
  const known = named.map(({ assetId }) => assetId).join(', ');
  throw new CliError(exitCode.usage, `The definition has no asset ${connection.asset}; it has ${known}.`);
}

function refuseUnknown(
  kind: 'tag' | 'owner',
  given: readonly string[] | undefined,
  known: ReadonlySet<string>,
): void {
  const unknown = given?.find((word) => !known.has(word));
  if (unknown === undefined) return;
  const meant = closest([...known], unknown);
  const hint =
    known.size === 0
      ? `It has no ${kind}s.`
      : `${meant === undefined ? '' : `Did you mean ${meant}? `}It has ${[...known].join(', ')}.`;
  throw new CliError(exitCode.usage, `Nothing in the definition has the ${kind} ${unknown}. ${hint}`);
}

/** How old the rows of tables may be by their definitions, as the local service takes it. */
export function tableFreshness(definitions: readonly Definition[]): Record<string, TableFreshnessOptions> {
  const tables = definitions.flatMap((definition) => Object.entries(definition.tables));
  return Object.fromEntries(
    tables.flatMap(([name, { freshness }]) =>
      freshness === undefined
        ? []
        : [[name, { timestamp_column: freshness.timestamp_column, threshold: freshness.max_age }]],
    ),
  );
}

/** Where definitions send alerts to; the assets of one file share its destinations. */
export function destinationsIn(definitions: readonly Definition[]): DestinationConfiguration[] {
  const all = definitions.flatMap(({ destinations = [] }) => destinations);
  return [...new Map(all.map((destination) => [JSON.stringify(destination), destination])).values()];
}
