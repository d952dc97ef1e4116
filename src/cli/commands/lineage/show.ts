import { exitCode } from '../../../judgement/exit-code.ts';
import { CliError } from '../../cli-error.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { readLineage } from '../../lineage-graph.ts';
import type { Session } from '../../session.ts';
import { table } from '../../table.ts';
import { print } from '../../terminal.ts';

/** `dq lineage show`. */
export const showLineage = (session: Session) =>
  assetCommand('show')
    .description('show what each model is made from (local service only)')
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const lineage = await readLineage(client, asset, missing, session.signal);
      if (lineage.nodes.length === 0) {
        throw new CliError(exitCode.notFound, 'No lineage was uploaded: do so with `dq lineage upload`.');
      }
      const { nodes, edges } = lineage;
      const names = new Map(nodes.map(({ id, name }) => [id, name]));
      print(options.json, lineage, () =>
        table(
          ['MODEL', 'TYPE', 'MADE FROM'],
          nodes.map(({ id, name, resource_type }) => {
            const sources = edges.filter(({ to }) => to === id).map(({ from }) => names.get(from) ?? from);
            return [name, resource_type, sources.length === 0 ? undefined : sources.join(', ')];
          }),
        ),
      );
    });

const missing =
  'This service does not show its lineage: the interface has no such endpoint, only the local service does.';

const examples = `
Examples:
  $ dq lineage show
  $ dq lineage show --json | jq '.edges | length'`;
