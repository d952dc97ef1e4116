type Defined<Patch> = { [Key in keyof Patch]?: Exclude<Patch[Key], undefined> };

/** The keys of a patch that change something: a key that is undefined stays as it is. */
export function changes<Patch extends object>(patch: Patch): Defined<Patch> {
  // Object.entries forgets the key of each value.
  return Object.fromEntries(
    Object.entries(patch).filter(([, value]) => value !== undefined),
  ) as Defined<Patch>;
}
