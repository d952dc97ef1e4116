// The text that Prometheus reads, version 0.0.4. It takes a page of code; the package that is made for it brings sixty
// kilobytes for what is not needed here: metrics of the process, clusters, quantiles, a gateway.

/** Names and values that distinguish the samples of one family. */
export type Labels = Readonly<Record<string, string>>;

/** One number. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
  /** What follows the name of the family, such as `_count` of a histogram. */
  readonly suffix?: string;
}

/** What has a name and a meaning of its own. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly samples: readonly Sample[];
}

/** The media type of the text. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

/** Writes families that have samples. */
export function writeExposition(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(
      ({ name, help, type, samples }) =>
        `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((it) => writeSample(name, it)).join('')}`,
    )
    .join('');
}

function writeSample(name: string, { suffix = '', labels, value }: Sample): string {
  const written = Object.entries(labels).map(([label, text]) => `${label}="${escape(text)}"`);
  return `${name}${suffix}${written.length > 0 ? `{${written.join(',')}}` : ''} ${writeNumber(value)}\n`;
}

function escape(text: string): string {
  return text.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function writeNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
