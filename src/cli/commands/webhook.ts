import { Command } from '@commander-js/extra-typings';

import type { Session } from '../session.ts';
import { listen } from './webhook/listen.ts';
import { send } from './webhook/send.ts';

/** `dq webhook`. */
export const create = (session: Session) =>
  new Command('webhook')
    .description('receive alerts, or send a signed test alert')
    .addCommand(listen(session))
    .addCommand(send(session));
