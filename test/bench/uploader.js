import { createReadStream, openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * Uploads one file and prints the most memory this process ever had, in MB: `uploader.js <how> <base URL> <file>`.
 * In JavaScript, as stripping types takes 20 MB.
 */
const [, , how = '', baseUrl = '', file = ''] = process.argv;

const apiKey = 'dq_benchmark_key';
const assetId = '3e0f2d0a-6a53-4d4c-9a35-0b8d6c1f7e11';

const uploaders = {
  async nothing() {},
  async ours() {
    const { DataQualityClient } = await import('data-quality-client');
    return new DataQualityClient({ apiKey, baseUrl }).lineage.upload(assetId, file);
  },
  async fetch() {
    const body = new FormData();
    body.append('file', await openAsBlob(file), 'manifest.json');
    const headers = { Authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${baseUrl}/api/v1/assets/${assetId}/lineage/upload`, {
      method: 'POST',
      headers,
      body,
    });
    return response.json();
  },
  async openai() {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({ apiKey, baseURL: baseUrl });
    return client.files.create({ file: createReadStream(file), purpose: 'user_data' });
  },
};

await uploaders[how]?.();
const status = await readFile('/proc/self/status', 'utf8');
const kilobytes = Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]);
process.stdout.write(`${Math.round(kilobytes / 1024)}\n`);
process.exit(0);
