// The movies of vega-datasets, which a source must count and measure as a file is.
import { fileURLToPath } from 'node:url';

import type { MetricCase, RuleCase } from './rows.ts';

/** The file. */
export const movies = fileURLToPath(
  new URL('../../node_modules/vega-datasets/data/movies.json', import.meta.url),
);

/** Rules over the movies. */
export const movieRules: readonly RuleCase[] = [
  ['Major Genre', 'NOT_NULL', undefined, false],
  ['Title', 'UNIQUE', undefined, false],
  ['Title', 'REGEX', { pattern: '^[A-Z]' }, false],
  ['IMDB Rating', 'RANGE', { min: 2, max: 9 }, true],
  ['MPAA Rating', 'ENUM', { allowed_values: ['R', 'PG', 'G'] }, false],
  ['Release Date', 'DATE_FORMAT', { format: 'MMM DD YYYY' }, false],
];

/** Metrics of the movies. */
export const movieMetrics: readonly MetricCase[] = [
  ['row_count', null],
  ['null_percent', 'Major Genre'],
  ['distinct_count', 'Title'],
  ['duplicate_count', 'Title'],
  ['avg_value', 'IMDB Rating', undefined, 'MPAA Rating'],
];
