import { stripControlCharacters } from '../printable.ts';
import type { Change, ChangeAction, Changes } from './changes.ts';

/** Colours a text by the action it speaks of. */
export type PaintChange = (action: ChangeAction, text: string) => string;

const signs: Readonly<Record<ChangeAction, string>> = {
  create: '+',
  update: '~',
  replace: '-/+',
  delete: '-',
  unchanged: '=',
};

/**
 * Writes changes as text, table by table, with what differs below each and a sum at the end; what is unchanged only
 * counts. Control characters in what the service stored are replaced, as they could rewrite the screen.
 */
export function renderChanges(changes: Changes, paint: PaintChange = (_action, text) => text): string {
  const { create, update, replace, delete: gone, unchanged } = changes;
  const tables = Map.groupBy([...create, ...update, ...replace, ...gone], ({ table_path }) => table_path);
  const blocks = [...tables].map(([table, group]) =>
    [stripControlCharacters(table), ...group.flatMap(render)].join('\n'),
  );
  return `${[...blocks, summarise()].join('\n\n')}\n`;

  function render(change: Change): string[] {
    const { action, kind, column_name, label } = change;
    const needs = change.needs === undefined ? '' : ` (needs ${change.needs})`;
    const reason = action === 'delete' ? `: ${change.reason}` : '';
    const where = column_name === null ? '' : `${column_name}: `;
    const sign = signs[action].padStart(3);
    const head =
      paint(action, stripControlCharacters(`${sign} ${action} ${kind} ${where}${label}`)) +
      stripControlCharacters(reason) +
      needs;
    return [`  ${head}`, ...details(change).map((line) => `        ${stripControlCharacters(line)}`)];
  }

  function summarise(): string {
    const uncompared = unchanged.filter((change) => change.uncompared.length > 0).length;
    const hint = uncompared === 0 ? '' : ` (${uncompared} with fields the service does not show)`;
    return (
      `${create.length} to create, ${update.length} to update, ${replace.length} to replace, ` +
      `${gone.length} to delete, ${unchanged.length} unchanged${hint}.`
    );
  }
}

function details(change: Change): string[] {
  if (change.action !== 'update' && change.action !== 'replace') return [];
  const differences = change.differences.map(
    ({ field, from, to }) => `${field}: ${JSON.stringify(from) ?? 'none'} → ${JSON.stringify(to) ?? 'none'}`,
  );
  const hidden = change.uncompared.map((field) => `${field}: not shown by the service, so not compared`);
  return [...differences, ...hidden];
}
