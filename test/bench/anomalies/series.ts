/**
 * Real series, captured one interval after the other. Each is either for tuning or for reporting: the split was made
 * before anything was tuned, and no figure of the second half was looked at while tuning. Series that resemble each
 * other stand on both sides: another time, another place or another column.
 */
import { DuckDBInstance } from '@duckdb/node-api';

const hour = 3_600_000;
const day = 24 * hour;

/** What a series is like, which decides what is demanded of it. */
export type Kind = 'weekly' | 'trend' | 'growing' | 'noisy';

/** A series of one metric. */
export interface Series {
  readonly name: string;
  readonly kind: Kind;
  /** For tuning, or for the report. */
  readonly half: 'tuned' | 'untouched';
  /** Milliseconds between two values. */
  readonly interval: number;
  readonly isCount: boolean;
  readonly values: readonly number[];
}

const data = (name: string) =>
  new URL(`../../../node_modules/vega-datasets/data/${name}`, import.meta.url).pathname;

type Draft = Omit<Series, 'values' | 'interval' | 'isCount'> & {
  readonly interval?: number;
  readonly isCount?: boolean;
  /** Values in the order of time, as one column. */
  readonly sql: string;
  /** Whether the values are added up: a table that grows by them. */
  readonly sum?: true;
};

const weather = (place: string, column: string) =>
  `SELECT ${column} FROM '${data('weather.csv')}' WHERE location = '${place}' ORDER BY date`;
const flights = (what: string) =>
  `SELECT ${what} FROM '${data('flights-3m.parquet')}' GROUP BY date::DATE ORDER BY date::DATE`;
const market = (column: string, years: string) =>
  `SELECT ${column} FROM '${data('sp500-2000.csv')}' WHERE year(date) BETWEEN ${years} ORDER BY date`;
const employment = (column: string) => `SELECT ${column} FROM '${data('us-employment.csv')}' ORDER BY month`;
const unemployment = (name: string) =>
  `SELECT count FROM '${data('unemployment-across-industries.json')}' WHERE series = '${name}' ORDER BY year, month`;
const births = (from: string) =>
  `SELECT unnest(${from}) FROM '${new URL('births.json', import.meta.url).pathname}'`;
const strikes = (years: string) =>
  `SELECT count(*) FROM '${data('birdstrikes.csv')}' WHERE year("Flight Date") BETWEEN ${years} GROUP BY "Flight Date" ORDER BY "Flight Date"`;
const commits = (what: string) =>
  `SELECT coalesce(sum(count), 0) FROM (SELECT unnest(generate_series(TIMESTAMP '2015-01-01', TIMESTAMP '2015-05-31', INTERVAL 1 ${what})) AS t)
   LEFT JOIN '${data('github.csv')}' ON date_trunc('${what}', strptime(time::VARCHAR, ['%Y/%m/%d %H:%M:%S', '%Y-%m-%d %H:%M:%S'])) = t GROUP BY t ORDER BY t`;

const drafts: readonly Draft[] = [
  { name: 'births 1994–96', kind: 'weekly', half: 'tuned', isCount: true, sql: births('from1994') },
  { name: 'births 2010–12', kind: 'weekly', half: 'untouched', isCount: true, sql: births('from2010') },
  {
    name: 'births 1994–96, added up',
    kind: 'growing',
    half: 'tuned',
    isCount: true,
    sum: true,
    sql: births('from1994'),
  },
  {
    name: 'births 2010–12, added up',
    kind: 'growing',
    half: 'untouched',
    isCount: true,
    sum: true,
    sql: births('from2010'),
  },
  { name: 'flights by day', kind: 'weekly', half: 'untouched', isCount: true, sql: flights('count(*)') },
  {
    name: 'flights by day, added up',
    kind: 'growing',
    half: 'untouched',
    isCount: true,
    sum: true,
    sql: flights('count(*)'),
  },
  {
    name: 'flights over 1000 miles by day',
    kind: 'weekly',
    half: 'tuned',
    isCount: true,
    sql: flights('count(*) FILTER (distance > 1000)'),
  },
  { name: 'average delay of flights', kind: 'noisy', half: 'tuned', sql: flights('avg(delay)') },
  { name: 'average distance of flights', kind: 'weekly', half: 'untouched', sql: flights('avg(distance)') },
  {
    name: 'late flights, percent',
    kind: 'noisy',
    half: 'untouched',
    sql: flights('100 * avg((delay > 15)::INTEGER)'),
  },
  { name: 'S&P 500, 2000–04', kind: 'trend', half: 'tuned', sql: market('close', '2000 AND 2004') },
  { name: 'S&P 500, 2005–19', kind: 'trend', half: 'untouched', sql: market('close', '2005 AND 2019') },
  { name: 'S&P 500 volume, 2000–09', kind: 'noisy', half: 'tuned', sql: market('volume', '2000 AND 2009') },
  {
    name: 'S&P 500 volume, 2010–19',
    kind: 'noisy',
    half: 'untouched',
    sql: market('volume', '2010 AND 2019'),
  },
  { name: 'employment, manufacturing', kind: 'trend', half: 'tuned', sql: employment('manufacturing') },
  { name: 'employment, nonfarm', kind: 'trend', half: 'untouched', sql: employment('nonfarm') },
  { name: 'employment, construction', kind: 'trend', half: 'untouched', sql: employment('construction') },
  { name: 'unemployed, government', kind: 'noisy', half: 'tuned', sql: unemployment('Government') },
  { name: 'unemployed, construction', kind: 'noisy', half: 'untouched', sql: unemployment('Construction') },
  { name: 'warmest hour, Seattle', kind: 'noisy', half: 'tuned', sql: weather('Seattle', 'temp_max') },
  { name: 'warmest hour, New York', kind: 'noisy', half: 'untouched', sql: weather('New York', 'temp_max') },
  { name: 'wind, New York', kind: 'noisy', half: 'tuned', sql: weather('New York', 'wind') },
  { name: 'wind, Seattle', kind: 'noisy', half: 'untouched', sql: weather('Seattle', 'wind') },
  {
    name: 'bird strikes by day, 1990–95',
    kind: 'noisy',
    half: 'tuned',
    isCount: true,
    sql: strikes('1990 AND 1995'),
  },
  {
    name: 'bird strikes by day, 1996–2002',
    kind: 'noisy',
    half: 'untouched',
    isCount: true,
    sql: strikes('1996 AND 2002'),
  },
  {
    name: 'commits by hour, added up',
    kind: 'growing',
    half: 'tuned',
    isCount: true,
    sum: true,
    interval: hour,
    sql: commits('hour'),
  },
  { name: 'commits by day', kind: 'noisy', half: 'untouched', isCount: true, sql: commits('day') },
  {
    name: 'carbon dioxide',
    kind: 'trend',
    half: 'untouched',
    sql: `SELECT CO2 FROM '${data('co2-concentration.csv')}' ORDER BY Date`,
  },
];

/** Reads all series. */
export async function readSeries(): Promise<readonly Series[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const series: Series[] = [];
  for (const { sql, sum, interval = day, isCount = false, ...rest } of drafts) {
    const rows = await connection.runAndReadAll(sql);
    let total = 0;
    const values = rows.getRows().map(([value]) => {
      total += Number(value);
      return sum === true ? total : Number(value);
    });
    series.push({ ...rest, interval, isCount, values });
  }
  connection.closeSync();
  instance.closeSync();
  return series;
}
