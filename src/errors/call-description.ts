/** The call an error belongs to. */
export interface CallDescription {
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Path of the request without its query, such as `/api/v1/sdk/validity/<asset_id>`. */
  readonly path: string;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** Whether the service may have acted on an earlier attempt, which no later one can take back. */
  readonly maybeProcessedBefore?: boolean;
}

/** What the message of an error advises if the service may have acted on the call; reading twice does no harm. */
export function processedAdvice(
  { method }: CallDescription,
  mayHaveBeenProcessed: boolean,
): string | undefined {
  return mayHaveBeenProcessed && method !== 'GET'
    ? 'The request may have been processed; check before retrying.'
    : undefined;
}

/** Returns a message that ends with an advice, if there is one. */
export function withAdvice(message: string, advice: string | undefined): string {
  return advice === undefined ? message : `${message.replace(/\.$/, '')}. ${advice}`;
}
