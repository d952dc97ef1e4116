import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { here, root, run, type Runner } from '../runner.ts';

const consumer = `
import { DataQualityClient, isApiError, type ValidityRule } from 'data-quality-client';
import { gate, type Verdict } from 'data-quality-client/gate';
import { parseDefinition, plan } from 'data-quality-client/rules';
import { validityRuleSchema } from 'data-quality-client/schemas';
import { createWebhookHandler } from 'data-quality-client/webhooks';
import { startLocalService } from 'data-quality-client/local';

export const client = new DataQualityClient({ apiKey: 'x' });
export async function names(assetId: string): Promise<string[]> {
  const found: string[] = [];
  for await (const rule of client.validity.list(assetId)) found.push(rule.name ?? rule.uuid);
  return found;
}
export const created = (assetId: string): PromiseLike<ValidityRule> =>
  client.validity.create(assetId, {
    rule_type: 'REGEX', table_path: 'a.b.c', column_name: 'd', rule_config: { pattern: '^x' },
  });
export const verdict = (assetId: string): Promise<Verdict> => gate(client, assetId, { throw: false });
export const changes = plan(client, 'a', parseDefinition({ tables: {} }));
export const handle = createWebhookHandler({ secret: 's', onAlert: () => undefined });
export const keys = startLocalService({ data: '.' }).then((service) => service.keys);
export const isMissing = (error: unknown): boolean => isApiError(error, 'RULE_NOT_FOUND');
export const schema = validityRuleSchema;
`;

/** Checks the consumer and emits its declarations under every resolution that reads `exports`. */
function compileWith(folder: string): Runner {
  return async ({ project }) => {
    const resolutions = [
      { module: 'nodenext' },
      { module: 'node16' },
      { module: 'esnext', moduleResolution: 'bundler' },
    ];
    let count = 0;
    for (const resolution of resolutions) {
      for (const exactOptionalPropertyTypes of [false, true]) {
        const name = join(project, `compile-${folder.split('/').at(-1)}-${count++}`);
        await mkdir(name, { recursive: true });
        const compilerOptions = {
          ...resolution,
          exactOptionalPropertyTypes,
          target: 'es2022',
          lib: ['es2023', 'esnext.disposable', 'dom'],
          types: ['node'],
          typeRoots: [join(root, 'node_modules/@types')],
          strict: true,
          declaration: true,
          skipLibCheck: false,
          outDir: 'out',
        };
        await writeFile(join(name, 'consumer.mts'), consumer);
        await writeFile(
          join(name, 'tsconfig.json'),
          JSON.stringify({ compilerOptions, files: ['consumer.mts'] }),
        );
        await run(join(root, 'node_modules/node/bin/node'), [join(folder, 'bin/tsc'), '-p', name], {
          cwd: name,
        });
      }
    }
    return `${count}/${count}`;
  };
}

/** TypeScript, oldest and newest. */
export const compilers: Readonly<Record<string, Runner>> = {
  'TypeScript 5.6': compileWith(join(here, 'node_modules/typescript-5.6')),
  'TypeScript 5.9': compileWith(join(here, 'node_modules/typescript-5.9')),
  'TypeScript 6.0': compileWith(join(here, 'node_modules/typescript-6.0')),
  'TypeScript 7.0': compileWith(join(root, 'node_modules/typescript')),
};
