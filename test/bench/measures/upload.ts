import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { benchFile, runNode } from '../process.ts';
import type { Table } from '../table.ts';
import type { Context } from './context.ts';

const megabyte = 1024 * 1024;

/** How much memory a process needs at most while it uploads a file. */
export async function uploadMemory({ url, shorter }: Context): Promise<Table> {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'));
  const sizes = [200, Math.round(1000 / shorter)];
  try {
    const files = await Promise.all(sizes.map((size) => makeFile(join(folder, `${size}.json`), size)));
    const peak = async (uploader: string, file = ''): Promise<string> =>
      (await runNode([benchFile('uploader.js'), uploader, `${url}/plain`, file])).trim();
    const rows: string[][] = [];
    for (const [name, uploader] of [
      ['data-quality-client, from a path', 'ours'],
      ['fetch with openAsBlob', 'fetch'],
      ["openai's core, from a read stream", 'openai'],
    ] as const) {
      const peaks: string[] = [];
      for (const file of files) peaks.push(await peak(uploader, file));
      rows.push([name, ...peaks]);
    }
    const empty = await peak('nothing');
    rows.push(['an empty script', empty, empty]);
    return {
      title: 'Peak memory of an upload from disk',
      note: 'Resident memory at its highest (VmHWM), in MB, of a process that does nothing else. To reach: at most 120 MB, whatever the size of the file.',
      columns: ['', ...sizes.map((size) => `${size} MB`)],
      rows,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A JSON object of so many MB. */
async function makeFile(path: string, size: number): Promise<string> {
  await using file = await open(path, 'w');
  const filler = Buffer.alloc(megabyte, ' ');
  await file.write('{"metadata":{},"nodes":{},');
  for (let written = 0; written < size; written++) await file.write(filler);
  await file.write('"sources":{}}');
  return path;
}
