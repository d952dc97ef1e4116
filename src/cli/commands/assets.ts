import { connect, serviceCommand } from '../connection.ts';
import { requestLocal } from '../local-endpoint.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';
import { print } from '../terminal.ts';

/** `dq assets`. */
export const create = (session: Session) =>
  serviceCommand('assets')
    .description('list the assets of the local service with their ids')
    .addHelpText('after', examples)
    .action(async (options) => {
      const client = await connect(options);
      const { assets } = await requestLocal<{ readonly assets: readonly { id: string; name: string }[] }>(
        client,
        { method: 'GET', path: 'assets', missing },
        session.signal,
      );
      print(options.json, assets, () =>
        table(
          ['ASSET', 'NAME'],
          assets.map(({ id, name }) => [id, name]),
        ),
      );
    });

const missing =
  'This service does not list its assets: the interface has no such list, only the local service does. On a hosted service, take the id of an asset from its alerts, or from those who run the service.';

const examples = `
Examples:
  $ dq assets
  $ dq assets --json | jq -r '.[0].id'`;
