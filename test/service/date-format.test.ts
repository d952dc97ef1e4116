import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { readDateFormat } from '../../src/service/date-format.ts';

function directives(format: string): string {
  const read = readDateFormat(format);
  if (typeof read === 'string') throw new Error(read);
  return read.fields.map(({ directive }) => directive).join('');
}

describe('a date format', () => {
  test.each([
    ['YYYY-MM-DD HH:mm:ss', '%Y-%m-%d %H:%M:%S'],
    ['yyyy-mm-dd', '%Y-%m-%d'],
    ['d/m/yy', '%-d/%-m/%y'],
    ['yyyy-mm-ddTHH:mm', '%Y-%m-%dT%H:%M'],
    ['HH [h] mm [min]', '%H h %M min'],
    ['mm:ss', '%M:%S'],
    ['YYYY-MM-DD mm', '%Y-%m-%d %M'],
    ['YYYY mm:ss', '%Y %M:%S'],
    ['%Y%%', '%Y%%'],
    ['YYYY'.padEnd(100, '-'), '%Y'.padEnd(98, '-')],
  ])('reads %s', (format, expected) => {
    expect(directives(format)).toBe(expected);
  });

  test.each([
    ['%Y%%.%-m', '2026%.3', '2026%x3'],
    ['YYYY[.*]M', '2026.*3', '2026xx3'],
    ['YYYY|MM', '2026|03', '2026'],
  ])('%s takes %j, and not %j', (format, taken, other) => {
    const read = readDateFormat(format);
    if (typeof read === 'string') throw new Error(read);
    const pattern = new RegExp(`^(?:${read.fields.map((it) => it.pattern).join('')})$`, 'v');
    expect([pattern.test(taken), pattern.test(other)]).toEqual([true, false]);
  });

  test.each([
    ['YYYY-[W]WW', '"WW" is not a part of a date format. Known parts: YYYY, yyyy, YY,'],
    ['Do MMMM YYYY', '"o" is not a part of a date format'],
    ['YYYY Q', '"Q" is not a part of a date format'],
    ['[100%] YYYY', '"%]" is not a part of a date format'],
    ['%Q', '"%Q" is not a part of a date format. Known parts: %Y, %y, %m,'],
    ['%Y-%', '"%" is not a part of a date format'],
    ['---', 'The format does not contain any part of a date'],
    ['[YYYY]', 'The format does not contain any part of a date'],
    ['', 'The format does not contain any part of a date'],
    ['YYYY YYYY', 'The format contains the year twice'],
    ['YYYY'.padEnd(101, '-'), 'A date format has at most 100 characters'],
    ['['.repeat(1_000_000), 'A date format has at most 100 characters'],
  ])('number %# is refused with what is wrong', (format, expected) => {
    expect(readDateFormat(format)).toContain(expected);
  });

  test('reads each token that the comment of rule_config.format names, and no other', () => {
    const source = readFileSync(new URL('../../src/contract/create-rule.ts', import.meta.url), 'utf8');
    const [, named = ''] = /knows the tokens `([^`]+)`/.exec(source) ?? [];
    const tokens = named.split(' ');
    expect(tokens.filter((token) => typeof readDateFormat(token) === 'string')).toEqual([]);
    // Small letters mean the same in days and years.
    const [, known = ''] = /Known parts: ([^;]+);/.exec(JSON.stringify(readDateFormat('[]'))) ?? [];
    const spelt = new Set(
      known.split(', ').map((token) => token.replace(/^(yy|yyyy|dd?)$/, (it) => it.toUpperCase())),
    );
    expect(tokens.toSorted()).toEqual([...spelt].toSorted());
  });
});
