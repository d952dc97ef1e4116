import { Command } from '@commander-js/extra-typings';

import { CliError } from '../cli-error.ts';
import { assetCommand, connectToAsset } from '../connection.ts';
import { exitCode } from '../../judgement/exit-code.ts';
import { requestLocal } from '../local-endpoint.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';
import { print } from '../terminal.ts';

/** `dq lineage`. */
export const create = (session: Session) =>
  new Command('lineage')
    .description('upload and show the lineage of an asset')
    .addCommand(uploadLineage(session))
    .addCommand(showLineage(session))
    .addHelpText('after', uploadExamples);

const uploadLineage = (session: Session) =>
  assetCommand('upload')
    .description('upload a dbt manifest')
    .argument('<manifest>', 'path of the manifest.json')
    .addHelpText('after', uploadExamples)
    .action(async (manifest, options) => {
      const { client, asset } = await connectToAsset(options);
      const uploaded = await client.lineage.upload(asset, manifest, {}, { signal: session.signal });
      const { nodes_created: nodes, edges_created: edges } = uploaded.sync_stats;
      print(options.json, uploaded, () => `${nodes ?? '?'} nodes and ${edges ?? '?'} edges created.`);
    });

const showLineage = (session: Session) =>
  assetCommand('show')
    .description('show what each model is made from (local service only)')
    .addHelpText('after', showExamples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const path = `assets/${encodeURIComponent(asset)}/lineage`;
      const lineage = await requestLocal<Lineage>(client, { method: 'GET', path, missing }, session.signal);
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

interface Lineage {
  readonly nodes: readonly { readonly id: string; readonly name: string; readonly resource_type: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

const missing =
  'This service does not show its lineage: the interface has no such endpoint, only the local service does.';

const uploadExamples = `
Examples:
  $ dq lineage upload target/manifest.json --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01`;

const showExamples = `
Examples:
  $ dq lineage show
  $ dq lineage show --json | jq '.edges | length'`;
