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
      'infinity',
      '-infinity',
      '10000-01-01',
      '0044-03-15 (BC)',
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
  {
    format: 'yyyy-mm-dd',
    valid: ['2024-02-29', '2024-12-15'],
    invalid: ['2024-13-15', '2024-02-31', '2023-02-29'],
  },
  { format: 'DD.MM.YYYY HH [h] mm', valid: ['31.12.2024 23 h 59'], invalid: ['31.12.2024 23 h 60'] },
  { format: 'mm:ss', valid: ['59:59'], invalid: ['60:00'] },
  { format: '%Y-%j', valid: ['2024-366', '2023-365', '2024-001'], invalid: ['2023-366', '2024-000'] },
  {
    format: 'ddd, DD MMM YYYY',
    valid: ['Mon, 01 Jan 2024', 'mon, 01 jan 2024'],
    invalid: ['Sun, 01 Jan 2024', 'Mo, 01 Jan 2024'],
  },
  {
    format: 'dddd YYYY-MM-DD HH:mmZ',
    // In UTC these are a Sunday and a Tuesday.
    valid: ['Monday 2024-01-01 00:30+02:00', 'Monday 2024-01-01 23:30-05:00'],
    invalid: ['Sunday 2024-01-01 00:30+02:00'],
  },
  {
    format: 'HH:mmZ',
    valid: ['10:00+14:00', '10:00-1130', '10:00+05', '10:00Z'],
    invalid: ['10:00+25:00', '10:00+14:30', '10:00+02:60', '10:00+1', '10:00'],
  },
  { format: 'MM-DD', valid: ['02-29'], invalid: ['02-30', '00-01'] },
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
