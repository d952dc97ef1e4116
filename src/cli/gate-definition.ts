import type { FreshnessCriteria, GateOptions } from '../gate/index.ts';
import { exitCode } from '../judgement/exit-code.ts';
import { CliError } from './cli-error.ts';
import type { ConnectionOptions } from './configuration.ts';
import {
  type DefinitionFlags,
  type DefinitionOfAsset,
  readDefinitions,
  withAssets,
} from './read-definition.ts';

/** The flags of a gate that a definition has to do with. */
export interface GateDefinitionFlags extends DefinitionFlags {
  readonly asset?: readonly string[] | undefined;
  readonly definition?: readonly string[] | undefined;
}

/** Reads the definitions that a gate is given, by their assets; none without `--definition`. */
export async function readGateDefinitions(
  flags: GateDefinitionFlags,
  connection: ConnectionOptions,
): Promise<readonly DefinitionOfAsset[]> {
  if (flags.definition === undefined) {
    for (const flag of ['environment', 'var', 'tag', 'owner'] as const) {
      if (flags[flag] !== undefined) {
        throw new CliError(exitCode.usage, `--${flag} is about a definition: give --definition too.`);
      }
    }
    return [];
  }
  const definitions = await readDefinitions(flags.definition, flags);
  const { asset: given } = flags;
  const isUnnamed = definitions.some((one) => one.asset === null);
  if (isUnnamed && given !== undefined && given.length > 1) {
    throw new CliError(
      exitCode.usage,
      'The definition does not name its asset, and several are given: write its tables below one, as assets: { <id>: { tables } }.',
    );
  }
  if (isUnnamed) return withAssets(definitions, { ...connection, asset: given?.[0] });
  const ofAssets = await withAssets(definitions, connection);
  return given === undefined ? ofAssets : ofAssets.filter(({ assetId }) => given.includes(assetId));
}

/** The owners and tags of definitions, as a gate takes them. */
export async function gateLabels(definitions: readonly DefinitionOfAsset[]): Promise<GateOptions['labels']> {
  const { labelsOf } = await import('../rules/index.ts');
  const byAsset = new Map(definitions.map(({ assetId, definition }) => [assetId, labelsOf(definition)]));
  return (item, assetId) => byAsset.get(assetId)?.(item) ?? {};
}

/** What a gate checks of the freshness of assets: what the flags ask for, and what the definitions expect. */
export async function gateFreshness(
  assets: readonly string[],
  definitions: readonly DefinitionOfAsset[],
  asked: boolean | FreshnessCriteria,
): Promise<boolean | FreshnessCriteria> {
  const { freshnessExpectations } = await import('../rules/index.ts');
  const expected = definitions.flatMap(({ assetId, definition }) =>
    freshnessExpectations(assetId, definition),
  );
  if (expected.length === 0) return asked;
  const criteria = typeof asked === 'object' ? asked : {};
  if (criteria.waitMs !== undefined && expected.some(({ table_path }) => table_path !== undefined)) {
    throw new CliError(
      exitCode.usage,
      '--wait is for whole assets, and the definition expects freshness of single tables. Wait with dq freshness wait first.',
    );
  }
  const isWhole = (id: string): boolean =>
    expected.some(({ assetId, table_path }) => assetId === id && table_path === undefined);
  const others = asked === false ? [] : assets.filter((id) => !isWhole(id)).map((assetId) => ({ assetId }));
  return { ...criteria, expectations: [...expected, ...others] };
}
