import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build as esbuild } from 'esbuild';
import { chromium } from 'playwright-core';

import { startBatteryServer } from '../battery-server.ts';
import { here, judge, type Runner } from '../runner.ts';

const entry = `
import { runBattery } from './battery.js';
const root = globalThis.document ? globalThis : undefined;
const report = (outcomes) => root ? (document.title = JSON.stringify(outcomes)) : postMessage(outcomes);
runBattery(globalThis.location.origin === 'null' ? '' : globalThis.location.origin).then(report);
`;

/** Deno repeats nothing here, but Chromium sends a POST again when a kept-alive connection breaks; the README says so. */
const chromiumRepeats = 'a POST whose connection breaks is sent once';

type Bundle = (project: string) => Promise<string>;

const bundlers: Readonly<Record<string, Bundle>> = {
  async esbuild(project) {
    const { outputFiles } = await esbuild({
      entryPoints: [join(project, 'entry.js')],
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      external: ['node:*', 'msw', '@duckdb/node-api'],
      logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
  },
  async vite(project) {
    const vite = await load<{ build(options: object): Promise<unknown> }>('vite');
    await vite.build({
      root: project,
      logLevel: 'silent',
      build: {
        outDir: join(project, 'vite'),
        lib: { entry: join(project, 'entry.js'), formats: ['iife'], name: 'battery', fileName: 'out' },
        rolldownOptions: { external: [/^msw/, /^@duckdb/] },
      },
    });
    return readFile(join(project, 'vite/out.iife.js'), 'utf8');
  },
  'webpack web': webpackFor('web'),
};

function webpackFor(target: 'web' | 'webworker'): Bundle {
  return async (project) => {
    const { default: webpack } = await load<{
      default: (options: object, done: (error: Error | null, stats?: Stats) => void) => void;
    }>('webpack');
    const folder = join(project, `webpack-${target}`);
    await new Promise<void>((resolve, reject) => {
      const options = {
        mode: 'production',
        context: project,
        entry: './entry.js',
        target,
        externals: { msw: 'msw' },
        output: { path: folder, filename: 'out.js', asyncChunks: false },
      };
      webpack(options, (error, stats) => {
        if (error) reject(error);
        else if (stats?.hasErrors()) reject(new Error(stats.toString({ all: false, errors: true })));
        else resolve();
      });
    });
    return readFile(join(folder, 'out.js'), 'utf8');
  };
}

interface Stats {
  hasErrors(): boolean;
  toString(options: object): string;
}

async function load<Module>(name: string): Promise<Module> {
  const path = createRequire(join(here, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as Module;
}

function inChromium(bundle: Bundle): Runner {
  return async ({ project }) => {
    await copyFile(join(here, 'battery.js'), join(project, 'battery.js'));
    await writeFile(join(project, 'entry.js'), entry);
    const code = await bundle(project);
    const page = `<!doctype html><meta charset="utf-8"><script type="module">${code.replaceAll('</script', String.raw`<\/script`)}</script>`;
    await using server = await startBatteryServer(page);
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    try {
      const tab = await browser.newPage();
      await tab.goto(server.url);
      await tab.waitForFunction(`document.title.startsWith('[')`, undefined, { timeout: 30_000 });
      const outcomes = JSON.parse(await tab.title()) as readonly { name: string }[];
      return judge(JSON.stringify(outcomes.filter(({ name }) => name !== chromiumRepeats)));
    } finally {
      await browser.close();
    }
  };
}

/** Bundles that run in headless Chromium, and one for a worker that is only built. */
export const browsers: Readonly<Record<string, Runner>> = {
  ...Object.fromEntries(
    Object.entries(bundlers).map(([name, bundle]) => [`Chromium, bundled by ${name}`, inChromium(bundle)]),
  ),
  async 'webpack webworker'({ project }) {
    await copyFile(join(here, 'battery.js'), join(project, 'battery.js'));
    await writeFile(join(project, 'entry.js'), entry);
    return `${Math.round((await webpackFor('webworker')(project)).length / 1000)} kB`;
  },
};
