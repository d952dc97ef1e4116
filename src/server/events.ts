import type { EventType, LocalEventType } from '../contract/vocabulary.ts';
import type { AssetSnapshot } from './scan.ts';
import type { Column } from './source.ts';

/** Something that happened to the data. */
export interface DataEvent {
  readonly type: EventType | LocalEventType;
  /** Name of the rule or metric, if it is about one. */
  readonly rule_name?: string;
  /** For a schema change. */
  readonly change_type?: string;
  readonly qualified_name: string;
  readonly asset_type: 'table' | 'data_asset';
  readonly details: Readonly<Record<string, unknown>>;
}

/** What happened to an asset between two scans; `before` is absent at the first. A state that lasts is reported once. */
export function eventsBetween(
  assetName: string,
  before: AssetSnapshot | undefined,
  after: AssetSnapshot,
): readonly DataEvent[] {
  return [
    ...(before === undefined ? [discovery(assetName, after)] : schemaChanges(before, after)),
    ...failures(assetName, before, after),
    ...violations(assetName, before, after),
  ];
}

function discovery(assetName: string, { tables }: AssetSnapshot): DataEvent {
  const columns = Object.values(tables).reduce((total, { length }) => total + length, 0);
  return {
    type: 'discovery_complete',
    qualified_name: assetName,
    asset_type: 'data_asset',
    details: { table_count: Object.keys(tables).length, column_count: columns },
  };
}

function schemaChanges(before: AssetSnapshot, after: AssetSnapshot): readonly DataEvent[] {
  const paths = [...new Set([...Object.keys(before.tables), ...Object.keys(after.tables)])].toSorted();
  return paths.flatMap((path) => {
    const [old, now] = [before.tables[path], after.tables[path]];
    if (old === undefined) return [schemaChange(path, 'table_added', {})];
    if (now === undefined) return [schemaChange(path, 'table_removed', {})];
    return columnChanges(path, old, now);
  });
}

function columnChanges(
  path: string,
  before: readonly Column[],
  after: readonly Column[],
): readonly DataEvent[] {
  const old = new Map(before.map(({ name, type }) => [name, type]));
  const now = new Map(after.map(({ name, type }) => [name, type]));
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    if (was === is) return [];
    const details = { column_name: name, column_type: is ?? was };
    if (was === undefined) return [schemaChange(path, 'column_added', details)];
    if (is === undefined) return [schemaChange(path, 'column_removed', details)];
    return [schemaChange(path, 'column_type_changed', { ...details, previous_column_type: was })];
  });
}

function schemaChange(path: string, change: string, details: Readonly<Record<string, unknown>>): DataEvent {
  return { type: 'schema_change', change_type: change, qualified_name: path, asset_type: 'table', details };
}

function failures(
  assetName: string,
  before: AssetSnapshot | undefined,
  after: AssetSnapshot,
): readonly DataEvent[] {
  return Object.entries(after.unreadable)
    .filter(([name]) => before?.unreadable[name] === undefined)
    .map(([name, error]) => ({
      type: 'connection_failed',
      qualified_name: name,
      asset_type: name === assetName ? 'data_asset' : 'table',
      details: { error },
    }));
}

function violations(
  assetName: string,
  before: AssetSnapshot | undefined,
  after: AssetSnapshot,
): readonly DataEvent[] {
  return Object.entries(after.stale)
    .filter(([name]) => before?.stale[name] === undefined)
    .map(([name, details]) => ({
      type: 'freshness_violation',
      qualified_name: name,
      asset_type: name === assetName ? 'data_asset' : 'table',
      details: { ...details },
    }));
}
