import { changes } from '../service/changes.ts';
import type { Listing, Slice } from '../service/store.ts';
import { numberIn } from './record.ts';
import type { Row, Run, State } from './state.ts';

/** The table of a kind of definition: of the rules, or of the metrics. */
export interface DefinitionTable<Definition> {
  readonly table: 'rules' | 'metrics';
  /** Column with the type that lists are filtered by. */
  readonly typeColumn: 'rule_type' | 'metric_type';
  /** Sequence of the ids. */
  readonly ids: 'rule_ids' | 'metric_ids';
  /** Deletes what hangs on the definition with the id `$1`. */
  readonly deleteOutcomes: string;
  /** Reads a row of an id and a record. */
  readonly fromRow: (row: Row) => Definition;
}

/** What lists are filtered by; null filters nothing. */
export interface DefinitionFilter {
  readonly type: string | null;
  readonly isActive: boolean | null;
}

/** What is inserted: the columns of the table, and the record as a whole. */
export interface NewDefinition {
  readonly uuid: string;
  readonly assetId: string;
  readonly type: string;
  readonly isActive: boolean;
  readonly record: unknown;
}

/** Keeps the definitions of one kind: each a record, with the columns that it is found by. */
export class DefinitionStore<Definition extends { readonly is_active: boolean }> {
  readonly #state: State;
  readonly #table: DefinitionTable<Definition>;

  constructor(state: State, table: DefinitionTable<Definition>) {
    this.#state = state;
    this.#table = table;
  }

  /** Lists the definitions of an asset in the order of their creation. */
  async list(
    assetId: string,
    { type, isActive }: DefinitionFilter,
    { limit, offset }: Slice,
  ): Promise<Listing<Definition>> {
    const { table, typeColumn, fromRow } = this.#table;
    const filter = `asset_id = $1 AND ${typeColumn} = coalesce($2, ${typeColumn}) AND is_active = coalesce($3::BOOLEAN, is_active)`;
    const filters = [assetId, type, isActive] as const;
    const total = await this.#state.run(`SELECT count(*) FROM ${table} WHERE ${filter}`, ...filters);
    const rows = await this.#state.run(
      `SELECT id, record FROM ${table} WHERE ${filter} ORDER BY id LIMIT $4::BIGINT OFFSET $5::BIGINT`,
      ...filters,
      limit,
      offset,
    );
    return { items: rows.map(fromRow), total: numberIn(total) };
  }

  /** Finds a definition; `undefined` if it does not exist. */
  async get(assetId: string, uuid: string): Promise<Definition | undefined> {
    const found = await this.#find(this.#state.run, assetId, uuid);
    return found?.definition;
  }

  /** Inserts a definition and returns its id. */
  async insert({ uuid, assetId, type, isActive, record }: NewDefinition): Promise<number> {
    const { table, typeColumn, ids } = this.#table;
    const inserted = await this.#state.run(
      `INSERT INTO ${table} (id, uuid, asset_id, ${typeColumn}, is_active, record)
       VALUES (nextval('${ids}'), $1, $2, $3, $4, $5) RETURNING id`,
      uuid,
      assetId,
      type,
      isActive,
      JSON.stringify(record),
    );
    return numberIn(inserted);
  }

  /** Changes a definition and returns it as it is now; `undefined` if it does not exist. */
  async update(assetId: string, uuid: string, patch: object): Promise<Definition | undefined> {
    return this.#state.transaction(async (run) => {
      const found = await this.#find(run, assetId, uuid);
      if (found === undefined) return undefined;
      const updated = { ...found.definition, ...changes(patch) };
      await run(
        `UPDATE ${this.#table.table} SET is_active = $2, record = $3 WHERE uuid = $1`,
        uuid,
        updated.is_active,
        JSON.stringify(updated),
      );
      return updated;
    });
  }

  /** Deletes a definition and what hangs on it; `false` if it does not exist. */
  async delete(assetId: string, uuid: string): Promise<boolean> {
    return this.#state.transaction(async (run) => {
      const found = await this.#find(run, assetId, uuid);
      if (found === undefined) return false;
      await run(this.#table.deleteOutcomes, found.id);
      await run(`DELETE FROM ${this.#table.table} WHERE uuid = $1`, uuid);
      return true;
    });
  }

  async #find(run: Run, assetId: string, uuid: string) {
    const { table, fromRow } = this.#table;
    const [row] = await run(
      `SELECT id, record FROM ${table} WHERE uuid = $1 AND asset_id = $2`,
      uuid,
      assetId,
    );
    return row === undefined ? undefined : { id: Number(row[0]), definition: fromRow(row) };
  }
}
