import { Command } from '@commander-js/extra-typings';

import type { Session } from '../session.ts';
import { getFreshness } from './freshness/get.ts';
import { waitForFreshness } from './freshness/wait.ts';

/** `dq freshness`. */
export const create = (session: Session) =>
  new Command('freshness')
    .description('show or await how fresh the data of an asset is')
    .addCommand(getFreshness(session))
    .addCommand(waitForFreshness(session))
    .addHelpText('after', examples);

const examples = `
Examples:
  $ dq freshness get
  $ dq freshness wait --for 30m && ./nightly-load.sh`;
