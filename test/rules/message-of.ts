import { InvalidRequestError } from 'data-quality-client';

/** The message with which a definition is refused. */
export function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.message;
    throw error;
  }
  return 'no error';
}
