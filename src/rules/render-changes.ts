import { stripControlCharacters } from '../printable.ts';
import type { Change, ChangeAction, Changes } from './changes.ts';
import type { Labels } from './labels.ts';

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
  return `${[...blocks, ...listUncompared(changes), ...listNotApplied(changes), summarise()].join('\n\n')}\n`;

  function render(change: Change): string[] {
    const { action, kind, column_name, label } = change;
    const requires = change.requires === undefined ? '' : ` (requires ${change.requires})`;
    const reason = action === 'delete' ? `: ${change.reason}` : describeLabels(change);
    const where = column_name === null ? '' : `${column_name}: `;
    const sign = signs[action].padStart(3);
    const head =
      paint(action, stripControlCharacters(`${sign} ${action} ${kind} ${where}${label}`)) +
      stripControlCharacters(reason) +
      requires;
    return [`  ${head}`, ...details(change).map((line) => `        ${stripControlCharacters(line)}`)];
  }

  function summarise(): string {
    const kept = changes.kept.length === 0 ? '' : `, ${changes.kept.length} kept without a description`;
    return (
      `${create.length} to create, ${update.length} to update, ${replace.length} to replace, ` +
      `${gone.length} to delete, ${unchanged.length} unchanged${kept}.`
    );
  }
}

/** What looks unchanged, but has fields that no response has: a difference in them cannot be seen. */
function listUncompared({ unchanged }: Changes): string[] {
  const lines = unchanged
    .filter(({ uncompared }) => uncompared.length > 0)
    .map(({ kind, table_path, column_name, label, uncompared }) => {
      const place = column_name === null ? table_path : `${table_path} ${column_name}`;
      return stripControlCharacters(`  ${kind} ${place}: ${label}: ${uncompared.join(', ')}`);
    });
  if (lines.length === 0) return [];
  return [['Not compared, because the service does not show these fields:', ...lines].join('\n')];
}

/** What the definition says and the service has no endpoint for. */
function listNotApplied({ notApplied }: Changes): string[] {
  if (notApplied.length === 0) return [];
  const lines = notApplied.map(({ part, name }) =>
    stripControlCharacters(`  ${part} of ${name ?? 'the asset'}: ${usedBy[part]}`),
  );
  return [['Not applied, because the service has no endpoint for it:', ...lines].join('\n')];
}

const usedBy = {
  freshness: 'dq gate and dq serve read it with --definition',
  destination: 'dq serve reads it with --definition',
} as const;

function describeLabels({ owner, tags = [] }: Labels): string {
  const parts = [
    ...(owner === undefined ? [] : [`owner ${owner}`]),
    ...(tags.length === 0 ? [] : [`tags ${tags.join(', ')}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

function details(change: Change): string[] {
  if (change.action !== 'update' && change.action !== 'replace') return [];
  const differences = change.differences.map(
    ({ field, from, to }) => `${field}: ${JSON.stringify(from) ?? 'none'} → ${JSON.stringify(to) ?? 'none'}`,
  );
  const hidden = change.uncompared.map((field) => `${field}: not shown by the service, so not compared`);
  return [...differences, ...hidden];
}
