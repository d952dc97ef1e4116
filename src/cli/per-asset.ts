import { stripControlCharacters } from '../printable.ts';
import type { AssetDefinition } from '../rules/index.ts';

/**
 * How a result per asset is printed: below the ids of the assets, and as a list in JSON; if the definition does not name
 * assets, the only one is printed by itself.
 */
export function perAsset<Result extends { readonly assetId: string }>(
  definitions: readonly AssetDefinition[],
  results: readonly Result[],
  render: (result: Result) => string,
): { readonly data: unknown; readonly text: string } {
  const isNamed = definitions.some(({ asset }) => asset !== null);
  const blocks = results.map((result) => {
    const heading = isNamed ? `Asset ${stripControlCharacters(result.assetId)}\n\n` : '';
    return `${heading}${render(result).trimEnd()}`;
  });
  return { data: isNamed ? results : results[0], text: blocks.join('\n\n') };
}
