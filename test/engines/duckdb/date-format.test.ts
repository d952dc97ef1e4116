import { describe, expect, test } from 'vitest';

import { serve } from '../../support/served.ts';

const cases: readonly { format: string; valid: readonly string[]; invalid: readonly string[] }[] = [
  {
    format: 'YYYY-MM-DD',
    valid: ['2024-02-29', '0001-01-01', '9999-12-31'],
    invalid: [
      '2023-02-29',
      '2024-2-9',
      '24-02-09',
      '2024-02-09 ',
      ' 2024-02-09',
      '2024-02-09x',
      '2024/02/09',
      '20240209',
      'x',
    ],
  },
  {
    format: 'M/D/YY H:mm',
    valid: ['1/8/90 0:00', '12/31/01 23:59'],
    invalid: ['13/1/90 0:00', '1/8/90 24:00', '1/8/1990 0:00', '2/30/90 0:00'],
  },
  {
    format: 'YYYY-MM-DDTHH:mm:ssZ',
    valid: ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00+02:00', '2024-01-01T00:00:00-0530'],
    invalid: ['2024-01-01T00:00:00', '2024-01-01 00:00:00Z', '2024-01-01T25:00:00Z', '2024-01-01T00:60:00Z'],
  },
  {
    format: 'YYYY-MM-DD HH:mm:ss.SSS',
    valid: ['2024-01-01 01:02:03.004'],
    invalid: ['2024-01-01 01:02:03.4', '2024-01-01 01:02:03'],
  },
  {
    format: 'MMM DD YYYY',
    valid: ['Jun 12 1998', 'jun 12 1998'],
    invalid: ['June 12 1998', 'Jun 31 1998', '1998', 'Jnu 12 1998'],
  },
  { format: 'D MMMM YYYY', valid: ['1 March 2024'], invalid: ['1 Marsh 2024', '32 March 2024'] },
  { format: 'hh:mm A', valid: ['12:30 PM', '01:00 am'], invalid: ['13:00 PM', '1:00 AM', '00:30'] },
  {
    format: '[on] DD.MM.YYYY',
    valid: ['on 01.02.2024'],
    invalid: ['01.02.2024', 'on 01-02-2024', 'on 31.02.2024'],
  },
  { format: 'yyyy-MM-dd', valid: ['2024-01-31'], invalid: ['2024-31-01'] },
  {
    format: '%Y-%m-%d',
    valid: ['2024-02-29', '2024-2-9'],
    invalid: ['2023-02-29', '24-02-09', '2024-02-09 ', ' 2024-02-09', '2024-02-09T00:00'],
  },
  {
    format: '%d/%m/%Y %H:%M:%S',
    valid: ['31/01/2024 23:59:59'],
    invalid: ['01/31/2024 23:59:59', '31/01/2024 24:00:00'],
  },
  { format: '%Y%m%d', valid: ['20240131'], invalid: ['20240132', '2024-01-31'] },
  { format: '100%% %Y', valid: ['100% 2024'], invalid: ['100 2024'] },
];

describe('DATE_FORMAT', () => {
  test('parses strictly, and only dates that exist', async () => {
    const texts = [...new Set(cases.flatMap(({ valid, invalid }) => [...valid, ...invalid]))];
    await using served = await serve({
      'dates.csv': ['text', ...texts.map((text) => `"${text}"`)].join('\n'),
    });
    for (const { format, valid, invalid } of cases) {
      const found = await served.check(
        'dates',
        { rule_type: 'DATE_FORMAT', column_name: 'text', rule_config: { format } },
        1000,
      );
      const refused = found.samples.map(({ value }) => value);
      expect({ format, refused: refused.filter((text) => valid.includes(String(text))) }).toEqual({
        format,
        refused: [],
      });
      expect({ format, taken: invalid.filter((text) => !refused.includes(text)) }).toEqual({
        format,
        taken: [],
      });
    }
  });
});
