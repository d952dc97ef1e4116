import { tmpdir } from 'node:os';

/** Where tests make their folders; all of them are deleted at the end of the run. */
export const testFolder = process.env['TEST_FOLDER'] ?? tmpdir();
