// A second place that reads a status is a second opinion on the same data.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/**
 * The rooms that give statuses to data, the one that reads them, the picture of points that we computed, and the list of
 * what dbt found, in whose words nothing is judged.
 */
const exempt =
  /^src\/((judgement|contract|service|server|engines|testing|anomalies)\/|cli\/(backtest-chart|commands\/rules\/import-dbt)\.ts)/;

test('no room but judgement compares the status of a check, a freshness or a snapshot', () => {
  const words =
    /(?:[=!]==|\bcase|includes\(|\[)\s*'(?:pass|fail|fresh|stale|violated)'|\.is_(?:anomaly|stale)\b/i;
  const judges = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !exempt.test(file))
    .filter((file) => {
      const code = readFileSync(join(root, file), 'utf8')
        .replaceAll(/\/\*[\s\S]*?\*\//g, '')
        .replaceAll(/`[^`]*`/g, '``');
      return words.test(code);
    });
  expect(judges).toEqual([]);
});
