import { Command } from '@commander-js/extra-typings';

import { assetCommand, connectToAsset } from '../connection.ts';
import type { Session } from '../session.ts';
import { print } from '../terminal.ts';

/** `dq lineage`. */
export const create = (session: Session) =>
  new Command('lineage').description('lineage of an asset').addCommand(uploadLineage(session));

const uploadLineage = (session: Session) =>
  assetCommand('upload')
    .description('upload a dbt manifest')
    .argument('<manifest>', 'path of the manifest.json')
    .addHelpText('after', examples)
    .action(async (manifest, options) => {
      const { client, asset } = await connectToAsset(options);
      const uploaded = await client.lineage.upload(asset, manifest, {}, { signal: session.signal });
      const { nodes_created: nodes, edges_created: edges } = uploaded.sync_stats;
      print(options.json, uploaded, () => `${nodes ?? '?'} nodes and ${edges ?? '?'} edges created.`);
    });

const examples = `
Examples:
  $ dq lineage upload target/manifest.json --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01`;
