import { Command } from '@commander-js/extra-typings';

import type { Session } from '../session.ts';
import { login } from './auth/login.ts';

/** `dq auth`. */
export const create = (session: Session) =>
  new Command('auth')
    .description('keep a key in a profile')
    .addCommand(login(session))
    .addHelpText(
      'after',
      `
Examples:
  $ dq auth login --base-url https://dq.example.com`,
    );
