import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { here, root, run, type Runner, withProject } from '../runner.ts';

const files: Readonly<Record<string, string>> = {
  'next.config.mjs': 'export default { turbopack: { root: import.meta.dirname } };',
  'app/layout.jsx':
    'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }',
  'app/page.jsx': `
    import { DataQualityClient } from 'data-quality-client';
    import { Health } from './health.jsx';
    export default async function Page() {
      const client = new DataQualityClient({ baseUrl: 'https://dq.test', apiKey: 'x' });
      return <main>{typeof client.validity.list}<Health /></main>;
    }`,
  'app/health.jsx': `
    'use client';
    import { DataQualityClient, isApiError } from 'data-quality-client';
    export function Health() {
      const client = new DataQualityClient({ baseUrl: 'https://dq.test', apiKey: 'x', dangerouslyAllowBrowser: true });
      return <p>{isApiError(client) ? 'error' : 'client component'}</p>;
    }`,
  'app/node/route.js': `
    import { createWebhookHandler } from 'data-quality-client/webhooks';
    const handle = createWebhookHandler({ secret: 'secret', onAlert: () => undefined });
    export const POST = (request) => handle(request);`,
  'app/edge/route.js': `
    import { createWebhookHandler } from 'data-quality-client/webhooks';
    export const runtime = 'edge';
    const handle = createWebhookHandler({ secret: 'secret', onAlert: () => undefined });
    export const POST = (request) => handle(request);`,
};

const node = join(root, 'node_modules/node/bin/node');

/** Builds an app with a server component, a client component and two routes, serves it, and asks each. */
function app(bundler: 'turbopack' | 'webpack'): Runner {
  return async ({ tarball }) =>
    // Without `"type": "module"`, as create-next-app makes it: with it, Next.js 16.4 builds no edge route by webpack.
    withProject({ 'package.json': '{"private":true}' }, async (cwd) => {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(join(cwd, name, '..'), { recursive: true });
        await writeFile(join(cwd, name), text);
      }
      await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball], { cwd });
      // Copies, as Turbopack reads nothing outside of the project.
      for (const name of [
        'next',
        'react',
        'react-dom',
        '@next',
        '@swc',
        'styled-jsx',
        'postcss',
        'nanoid',
        'picocolors',
        'source-map-js',
        'client-only',
        'caniuse-lite',
        'baseline-browser-mapping',
        'scheduler',
        'tslib',
      ]) {
        const from = join(here, 'node_modules', name);
        await cp(from, join(cwd, 'node_modules', name), { recursive: true, dereference: true }).catch(
          (error: NodeJS.ErrnoException) => {
            if (error.code !== 'ENOENT') throw error;
          },
        );
      }
      const next = join(cwd, 'node_modules/next/dist/bin/next');
      const env = { NEXT_TELEMETRY_DISABLED: '1' };
      await run(node, [next, 'build', `--${bundler}`], { cwd, env });
      const port = await freePort();
      const server = spawn(node, [next, 'start', '--port', String(port), '--hostname', '127.0.0.1'], {
        cwd,
        env: { ...process.env, ...env },
      });
      try {
        await new Promise<void>((resolve, reject) => {
          server.stdout.on('data', (data) => {
            if (/ready/i.test(String(data))) resolve();
          });
          server.once('exit', () => reject(new Error('next start ended')));
        });
        const url = `http://127.0.0.1:${port}`;
        const page = await (await fetch(url)).text();
        if (!page.includes('client component')) throw new Error(page.slice(0, 500));
        for (const route of ['node', 'edge']) {
          const statuses = await post(`${url}/${route}`);
          if (statuses !== '200 401') throw new Error(`the ${route} route responded ${statuses}`);
        }
        return 'page, node route, edge route';
      } finally {
        server.kill('SIGKILL');
      }
    });
}

/** Posts a signed alert and a forged one; returns both statuses. */
async function post(url: string): Promise<string> {
  const body = JSON.stringify({ event_type: 'alert.triggered', alert: { id: url } });
  const signature = `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`;
  const statuses = [];
  for (const header of [signature, signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]) {
    const headers = { 'content-type': 'application/json', 'x-service-signature': header };
    const { status } = await fetch(url, { method: 'POST', body, headers });
    statuses.push(status < 300 ? 200 : status);
  }
  return statuses.join(' ');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

/** Next.js, by either bundler. */
export const next: Readonly<Record<string, Runner>> = {
  'Next.js 16, Turbopack': app('turbopack'),
  'Next.js 16, webpack': app('webpack'),
};
