/** A query that the engine refused or could not finish; its message is fit for the result of a check. */
export class QueryError extends Error {
  override readonly name = 'QueryError' as const;
  /** Whether the query overran its time or its memory, or crashed the engine. */
  readonly overran: boolean;
  /** Whether the source could not be reached, whatever was asked of it. */
  readonly isAway: boolean;

  constructor(
    message: string,
    {
      overran = false,
      isAway = false,
      ...options
    }: ErrorOptions & { readonly overran?: boolean; readonly isAway?: boolean } = {},
  ) {
    super(message, options);
    this.overran = overran;
    this.isAway = isAway;
  }
}
