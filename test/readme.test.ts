import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { endpoints } from '../src/contract/endpoints.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8').replaceAll(/ +/g, ' ');

describe('the reference of endpoints in the README', () => {
  for (const [room, ofRoom] of Object.entries(endpoints)) {
    for (const [name, { method, path, scope, summary }] of Object.entries(ofRoom)) {
      test(`names ${room}.${name}`, () => {
        expect(readme).toContain(`| \`${room}.${name}\` | \`${method} ${path}\` | ${scope} | ${summary} |`);
      });
    }
  }
});
