import type { HiddenFields } from '../../../rules/index.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import type { Session } from '../../session.ts';
import { stripControlCharacters } from '../../../printable.ts';
import { message, print } from '../../terminal.ts';
import { writeText } from '../../text-file.ts';

/** `dq rules export`. */
export const exportDefinition = (session: Session) =>
  assetCommand('export')
    .description('write the rules and metrics of an asset as a definition')
    .option('-o, --output <file>', 'default standard output')
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const { exportRules, toYaml } = await import('../../../rules/index.ts');
      const exported = await exportRules(client, asset, { signal: session.signal });
      const { definition, unmapped, hidden } = exported;
      for (const { kind, label, table_path, reason } of unmapped) {
        const what = `${kind} ${stripControlCharacters(label)} of ${stripControlCharacters(table_path ?? 'no table')}`;
        message(`Not described, but listed under "keep", so that apply leaves it alone: ${what}: ${reason}`);
      }
      for (const line of describeHidden(hidden)) message(line);
      message(
        'Not known to the service, so not exported: owner and tags of rules and metrics, freshness and destinations. Copy them from the definition that you have.',
      );
      if (options.output !== undefined) await writeText(options.output, toYaml(definition));
      if (options.output === undefined || options.json === true) {
        print(options.json, exported, () => toYaml(definition).trimEnd());
      }
    });

/** The most places that one line lists; --json has all of them. */
const mostPlaces = 5;

function describeHidden(hidden: readonly HiddenFields[]): string[] {
  const entries = hidden.flatMap((one) => one.fields.map((field) => ({ ...one, field })));
  return [...Map.groupBy(entries, ({ kind, field }) => `${field} of ${kind}s`)].map(([what, group]) => {
    const places = group.map(({ table_path, column_name, label }) =>
      stripControlCharacters([table_path, column_name, label].filter((part) => part !== null).join(' ')),
    );
    const rest = places.length > mostPlaces ? `, and ${places.length - mostPlaces} more` : '';
    return (
      `Not shown by the service, so not exported: ${what}. Add it by hand to those that have it: ` +
      `${places.slice(0, mostPlaces).join(', ')}${rest}`
    );
  });
}

const examples = `
Examples:
  $ dq rules export > rules.yaml
  $ dq rules export --output rules.yaml`;
