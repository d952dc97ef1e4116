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
      const { definition, unmapped } = exported;
      for (const { kind, label, table_path, reason } of unmapped) {
        message(
          `Left out: ${kind} ${stripControlCharacters(label)} of ${stripControlCharacters(table_path ?? 'no table')}: ${reason}`,
        );
      }
      if (options.output !== undefined) await writeText(options.output, toYaml(definition));
      if (options.output === undefined || options.json === true) {
        print(options.json, exported, () => toYaml(definition).trimEnd());
      }
    });

const examples = `
Examples:
  $ dq rules export > rules.yaml
  $ dq rules export --output rules.yaml`;
