/** The ids of the elements of a page: readable, the same for every report of an asset, and each there once. */
export class Anchors {
  readonly #taken = new Set(pageIds);
  readonly #ids = new Map<object | string, string>();

  /** The id of the element for this subject; `kind` is what it begins with, `name` what it is made from. */
  of(kind: 'rule' | 'metric' | 'table', subject: object | string, name: unknown): string {
    const known = this.#ids.get(subject);
    if (known !== undefined) return known;
    const slug = String(name)
      .replaceAll(/[^\w.-]+/g, '-')
      .slice(0, 100);
    let id = `${kind}-${slug}`;
    for (let count = 2; this.#taken.has(id); count++) id = `${kind}-${slug}-${count}`;
    this.#taken.add(id);
    this.#ids.set(subject, id);
    return id;
  }
}

/** The ids that every page has. */
const pageIds = [
  'content',
  'attention',
  'trend',
  'checks',
  'tables',
  'list',
  'nothing',
  'freshness',
  'lineage',
];
