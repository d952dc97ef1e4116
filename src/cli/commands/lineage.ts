import { Command } from '@commander-js/extra-typings';

import type { Session } from '../session.ts';
import { showLineage } from './lineage/show.ts';
import { uploadExamples, uploadLineage } from './lineage/upload.ts';

/** `dq lineage`. */
export const create = (session: Session) =>
  new Command('lineage')
    .description('upload and show the lineage of an asset')
    .addCommand(uploadLineage(session))
    .addCommand(showLineage(session))
    .addHelpText('after', uploadExamples);
