import { setTimeout as wait } from 'node:timers/promises';

import type { DataQualityClient } from '../../../index.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import { CliError } from '../../cli-error.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { readLineage } from '../../lineage-graph.ts';
import type { Session } from '../../session.ts';
import { print } from '../../terminal.ts';
import { readText } from '../../text-file.ts';

/** `dq lineage upload`. */
export const uploadLineage = (session: Session) =>
  assetCommand('upload')
    .description('upload a dbt manifest')
    .argument('<manifest>', 'path of the manifest.json')
    .option(
      '--wait',
      'until every model of the manifest is part of the lineage, a minute at most (local service only)',
    )
    .addHelpText('after', uploadExamples)
    .action(async (manifest, options) => {
      const { signal } = session;
      const { client, asset } = await connectToAsset(options);
      if (options.wait === true) await readLineage(client, asset, cannotWait, signal);
      const uploaded = await client.lineage.upload(asset, manifest, {}, { signal });
      session.progress = 'the manifest was uploaded';
      if (options.wait === true) await waitForNodes(client, asset, await nodesOf(manifest), signal);
      const { nodes_created: nodes, edges_created: edges } = uploaded.sync_stats;
      print(options.json, uploaded, () => `${nodes ?? '?'} nodes and ${edges ?? '?'} edges created.`);
    });

const mostAttempts = 60;
const pauseMs = 1000;

/** Waits until the lineage has all nodes of a manifest. Ends the command if it does not get them. */
async function waitForNodes(
  client: DataQualityClient,
  asset: string,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { nodes } = await readLineage(client, asset, cannotWait, signal);
    const known = new Set(nodes.map(({ id }) => id));
    const missing = wanted.filter((id) => !known.has(id));
    if (missing.length === 0) return;
    if (attempt === mostAttempts) {
      throw new CliError(
        exitCode.inconclusive,
        `The manifest was uploaded, but after a minute ${missing.length} of its ${wanted.length} models are not part of the lineage, such as ${missing[0]}.`,
      );
    }
    await wait(pauseMs, undefined, { signal });
  }
}

/** The ids of what data flows through; the upload has already found the manifest to be one. */
async function nodesOf(manifest: string): Promise<string[]> {
  const { nodes, sources } = JSON.parse(await readText(manifest)) as Manifest;
  return Object.entries({ ...nodes, ...sources })
    .filter(([, node]) => ['model', 'seed', 'snapshot', 'source'].includes(node.resource_type))
    .map(([id]) => id);
}

interface Manifest {
  readonly nodes: Readonly<Record<string, { readonly resource_type: string }>>;
  readonly sources?: Manifest['nodes'] | null;
}

const cannotWait =
  '--wait is not possible here: the interface has no endpoint that shows a lineage, only the local service does. Without --wait, sync_stats in the response is all that a service says. Nothing was uploaded.';

/** Examples of the command. */
export const uploadExamples = `
Examples:
  $ dq lineage upload target/manifest.json --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01
  $ dq lineage upload target/manifest.json --wait && dq lineage show`;
