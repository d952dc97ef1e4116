import type { KnownBlock } from '@slack/types';
import { parseAlert } from 'data-quality-client/webhooks';
import { expect, test } from 'vitest';

import { toSlackMessage } from '../slack-alerts.ts';

test('the blocks are those that Slack documents', () => {
  const alert = parseAlert({
    event: { type: 'validity_failure', asset: { qualified_name: 'shop.sales.orders' } },
  });
  // The compiler holds them against the types of Slack.
  const blocks: KnownBlock[] = toSlackMessage([alert]).blocks;
  expect(blocks.map(({ type }) => type)).toEqual(['header', 'section']);
});
