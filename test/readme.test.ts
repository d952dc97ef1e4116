import { existsSync, readFileSync, statSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { endpoints } from '../src/contract/endpoints.ts';
import { metricTypes, ruleTypes, tiers } from '../src/contract/vocabulary.ts';
import { isDataQualityError } from '../src/index.ts';
import * as everything from '../src/index.ts';
import { readme } from './readme/read-examples.ts';

const text = readme.replaceAll(/ +/g, ' ');
const { homepage } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly homepage: string;
};
const repository = homepage.replace(/#.*/, '');

describe('the reference of endpoints in the README', () => {
  for (const [room, ofRoom] of Object.entries(endpoints)) {
    for (const [name, { method, path, scope, summary }] of Object.entries(ofRoom)) {
      test(`names ${room}.${name}`, () => {
        expect(text).toContain(`| \`${room}.${name}\` | \`${method} ${path}\` | ${scope} | ${summary} |`);
      });
    }
  }
});

describe('the tables of the README', () => {
  test.each([...ruleTypes, ...metricTypes])('explain %s', (type) => {
    expect(text).toContain(`\n| \`${type}\` |`);
  });

  test.each(Object.entries(tiers))('have the limits of %s', (tier, { perMinute, perSecond }) => {
    expect(text).toContain(`| \`${tier}\` | ${perMinute.toLocaleString('en')} | ${perSecond} |`);
  });

  test('name every error that the client throws', () => {
    const classes = Object.entries(everything).filter(
      ([, value]) => typeof value === 'function' && isDataQualityError(value.prototype),
    );
    // ApiError and NotFoundError are what others extend.
    const names = classes.map(([name]) => name).filter((name) => name !== 'NotFoundError');
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) expect(text).toContain(`\`${name}\``);
  });
});

describe('a link in the README', () => {
  const code = /^```[^]*?^```$/gm;
  const prose = text.replaceAll(code, '');
  const targets = [
    ...[...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target),
    ...[...prose.matchAll(/(?:src|srcset|href)="([^"]+)"/g)].map(([, target = '']) => target),
  ];
  const anchors = new Set(
    [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  const documentation = /^https:\/\/(?:mswjs\.io|semver\.org)(?:\/|$)/;
  const packed = new Set(['CHANGELOG.md', 'LICENSE']);

  const leadsSomewhere = (target: string): boolean => {
    if (target.startsWith('#')) return anchors.has(target.slice(1));
    if (!target.startsWith(repository)) return documentation.test(target) || packed.has(target);
    const [, path = '.'] = /^\/(?:blob|raw|tree)\/main\/(.+)$/.exec(target.slice(repository.length)) ?? [];
    return existsSync(new URL(`../${path}`, import.meta.url));
  };

  test.each([...new Set(targets)])('%s leads somewhere, on npm too', (target) => {
    expect(leadsSomewhere(target)).toBe(true);
  });

  test('to every section is in the contents', () => {
    const sections = [...prose.matchAll(/^## (?!Contents)(.+)$/gm)].map(([, title = '']) => title);
    for (const title of sections) expect(prose).toContain(`[${title}](#`);
  });
});

test.each(['light', 'dark'])('the %s picture of the README loads fast', (scheme) => {
  const { size } = statSync(new URL(`../.github/report-${scheme}.png`, import.meta.url));
  expect(readme).toContain(`${repository}/raw/main/.github/report-${scheme}.png`);
  expect(size).toBeLessThan(200_000);
});

test('the README explains how to run the tests and the demo', () => {
  const run = readFileSync(new URL('../.ci/run', import.meta.url), 'utf8');
  expect(readme).toContain('```sh\nnpm ci && npm test\n```');
  expect(readme).toContain('\nnpm ci && npm run demo\n```');
  expect(run).toMatch(/^npm ci\nnpm test$/m);
});
