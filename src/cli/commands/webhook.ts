import { Command } from '@commander-js/extra-typings';

import type { Session } from '../session.ts';
import { listen } from './webhook/listen.ts';
import { send } from './webhook/send.ts';

/** `dq webhook`. */
export const create = (session: Session) =>
  new Command('webhook')
    .description('receive alerts, or send a signed test alert')
    .addCommand(listen(session))
    .addCommand(send(session))
    .addHelpText('after', examples);

const examples = `
Examples:
  $ DATA_QUALITY_WEBHOOK_SECRET=… dq webhook listen
  $ dq webhook send http://127.0.0.1:8787 --secret s3cret`;
