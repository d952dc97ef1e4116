import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { freshnessEndpoints } from '../src/contract/freshness.ts';
import { lineageEndpoints } from '../src/contract/lineage.ts';
import { metricsEndpoints } from '../src/contract/metrics.ts';
import { validityEndpoints } from '../src/contract/validity.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8').replaceAll(/ +/g, ' ');
const rooms = {
  validity: validityEndpoints,
  metrics: metricsEndpoints,
  freshness: freshnessEndpoints,
  lineage: lineageEndpoints,
};

describe('the reference of endpoints in the README', () => {
  for (const [room, endpoints] of Object.entries(rooms)) {
    for (const [name, { method, path, scope, summary }] of Object.entries(endpoints)) {
      test(`names ${room}.${name}`, () => {
        expect(readme).toContain(`| \`${room}.${name}\` | \`${method} ${path}\` | ${scope} | ${summary} |`);
      });
    }
  }
});
