import type { TableFile } from './catalog.ts';
import { sharedColumn, type SourceColumn } from './column-sql.ts';
import type { DataSource } from './data-source.ts';
import { computeAbout } from './explain.ts';
import { guessKind } from './guess-kind.ts';
import { isProven, type Kind, kindAggregates, kindFrom, proofAggregates } from './kind.ts';
import { ownNames } from './own-name.ts';
import type { OpenTable, Tables } from './tables.ts';

/** How the kinds of columns are found. */
export type KindFinder = (file: TableFile, table: OpenTable, column: SourceColumn) => Promise<FoundKind>;

/** The kind of a column. */
export interface FoundKind {
  readonly kind: Kind;
  /** There if the kind is a guess. */
  readonly guess: KindGuess | undefined;
}

/** What shows whether the guess of a kind is right. */
export interface KindGuess {
  /** Aggregates over a view that {@link sharedColumn} is a part of. */
  readonly aggregates: readonly string[];
  /** Whether their values show that it is right; if so, nobody has to guess again. */
  readonly confirm: (values: readonly unknown[]) => boolean;
}

const nameOf = ({ readAs }: SourceColumn): string => `kind of ${readAs}`;

/** Finds the kinds of columns by a look at all of their values, in a scan that several columns share. */
export function exactKinds({ engine, finder }: DataSource, tables: Tables): KindFinder {
  return async (file, table, column) => {
    const kind = await finder.remember(file, nameOf(column), async () => {
      const { sql, columns, steps } = shared(table, column);
      const view = { reading: table.reading.sql, name: file.name, columns, steps };
      return kindFrom(await computeAbout(engine, tables, file, view, kindAggregates(sql)));
    });
    return { kind, guess: undefined };
  };
}

/** Finds the kinds of columns by a look at their first values where that is quicker; `onGuess`: called if it is. */
export function guessedKinds(source: DataSource, tables: Tables, onGuess: () => void): KindFinder {
  const exact = exactKinds(source, tables);
  return async (file, table, column) => {
    if (table.firstRows === undefined) return exact(file, table, column);
    const memory = await source.finder.memoryOf(file);
    const known = memory.get(nameOf(column));
    if (known !== undefined) return exact(file, table, column);
    onGuess();
    const at = table.columns.indexOf(column);
    const kind = guessKind(table.firstRows.map((row) => row[at] ?? ''));
    const { sql } = shared(table, column);
    const confirm = (values: readonly unknown[]): boolean => {
      const isRight = isProven(kind, values);
      if (isRight) memory.set(nameOf(column), Promise.resolve(kind));
      return isRight;
    };
    return { kind, guess: { aggregates: proofAggregates(kind, sql), confirm } };
  };
}

function shared(table: OpenTable, column: SourceColumn) {
  return sharedColumn(column, ownNames(table.columns));
}
