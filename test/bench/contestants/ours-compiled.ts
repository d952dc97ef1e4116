// Before whatever makes a schema: only those that come after it are compiled.
import 'zod/compile';

import type { Contestant } from '../contestant.ts';
import { ours } from './ours.ts';

/** Ours, as a user may speed it up: zod compiles its schemas once it is told to. */
export const oursCompiled: Contestant = { ...ours, name: 'data-quality-client after zod/compile' };
