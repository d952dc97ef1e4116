/** A query that the engine refused or could not finish; its message is fit for the result of a check. */
export class QueryError extends Error {
  override readonly name = 'QueryError' as const;
  /** Whether the query overran its time or its memory, or crashed the engine. */
  readonly overran: boolean;
  /** Whether the source could not be reached, whatever was asked of it. */
  readonly isUnreachable: boolean;

  constructor(
    message: string,
    {
      overran = false,
      isUnreachable = false,
      ...options
    }: ErrorOptions & { readonly overran?: boolean; readonly isUnreachable?: boolean } = {},
  ) {
    super(message, options);
    this.overran = overran;
    this.isUnreachable = isUnreachable;
  }
}
