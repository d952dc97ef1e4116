import { readFile } from 'node:fs/promises';

import { renderJUnit } from 'data-quality-client/gate';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';

import { ruleCheck, verdictOf } from './verdicts.ts';

it('a JUnit report fits the schema whatever the service has stored', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  const outcome = fc.constantFrom('passed', 'failed', 'inconclusive', 'tolerated', 'skipped');
  const check = fc.tuple(outcome, text, text, text, text).map(([kind, name, reason, table_path, value]) =>
    ruleCheck(kind, {
      name,
      reason,
      rule: { table_path, severity: name },
      result: { id: 1, invalid_samples: { samples: [{ row_id: 1, value }] } },
    }),
  );
  const verdict = verdictOf({ checks: fc.sample(check, 400) });
  const schema = await readFile(new URL('junit.xsd', import.meta.url), 'utf8');
  const { errors } = await validateXML({ xml: renderJUnit(verdict), schema });
  expect(errors).toEqual([]);
});
