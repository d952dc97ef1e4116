import { describeIssues, type Issue } from '../contract/issue.ts';
import { DataQualityError } from './data-quality-error.ts';

/** The arguments of a call can't be sent (an empty id, `limit: 0`, a missing file); thrown before any request. */
export class InvalidRequestError extends DataQualityError {
  override readonly name = 'InvalidRequestError' as const;
  readonly code = 'INVALID_REQUEST' as const;
  /** What was refused, such as a call or a file; of several files, each issue has its own. */
  readonly subject: string;
  /** Each value that was refused. */
  readonly issues: readonly Issue[];
  /** Always `false`: the service has nothing that it could act on. */
  readonly mayHaveBeenProcessed = false as const;

  constructor(
    subject: string,
    issues: readonly Issue[],
    { isList = false, ...options }: ErrorOptions & { readonly isList?: boolean } = {},
  ) {
    const separator = isList && issues.length > 1 ? '\n  ' : undefined;
    super(`${subject}:${separator ?? ' '}${describeIssues(issues, 20, separator)}`, options);
    this.subject = subject;
    this.issues = issues;
  }
}
