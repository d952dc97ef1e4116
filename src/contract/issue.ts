// How a message describes what is wrong with a value, without zod.

/** What is wrong with one value: where it is and why it was refused. */
export interface Issue {
  /** Where the value is, such as `['rule_config', 'pattern']`; empty for the whole value. */
  readonly path: readonly PropertyKey[];
  /** Why it was refused. */
  readonly message: string;
  /** What it is in, such as the name of a file, if several were refused at once. */
  readonly source?: string;
}

/** The type of a value in JSON's words; a number that JSON does not have is named by itself. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : typeof value;
}

/** What is wrong with a value that should be of another type. */
export function expectedOther(expected: string, value: unknown): string {
  if (expected === 'int' && typeof value === 'number') return `expected a whole number, got ${value}`;
  return `expected ${expected}, got ${value === undefined ? 'nothing' : kindOf(value)}`;
}

/** The first `most` issues, and how many more there are, in one line unless `separator` says otherwise. */
export function describeIssues(issues: readonly Issue[], most: number, separator = '; '): string {
  const described = issues.slice(0, most).map(({ path, message, source }) => {
    const place = source === undefined ? '' : `${source}: `;
    if (path.length === 0) return place + message;
    // What continues a sentence about the value, and what is a sentence of its own.
    return `${place}${path.map(String).join('.')}${/^(must|is|has|cannot) /.test(message) ? '' : ':'} ${message}`;
  });
  if (issues.length > most) described.push(`and ${issues.length - most} more`);
  return described.join(separator);
}
