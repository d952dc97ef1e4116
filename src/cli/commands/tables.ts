import { assetCommand, connectToAsset } from '../connection.ts';
import { type ListedTable, listTables } from '../list-tables.ts';
import type { Session } from '../session.ts';
import { table } from '../table.ts';
import { print } from '../terminal.ts';

/** `dq tables`. */
export const create = (session: Session) =>
  assetCommand('tables')
    .description('list the tables of an asset of the local service with their columns')
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const tables = await listTables(client, asset, session.signal);
      print(options.json, tables, () =>
        tables.length === 0
          ? 'No tables.'
          : table(
              ['TABLE', 'COLUMNS'],
              tables.map((listed) => [listed.table_path, describe(listed)]),
            ),
      );
    });

function describe({ columns, problem }: ListedTable): string {
  return problem ?? columns.map(({ name, type }) => `${name} ${type}`).join(', ');
}

const examples = `
Examples:
  $ dq tables
  $ dq tables --json | jq -r '.[].table_path'`;
