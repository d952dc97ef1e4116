import type { ScannedTable, Source } from '../../server/source.ts';
import type { TableFile } from './catalog.ts';
import type { DataSource } from './data-source.ts';
import { QueryError } from '../query-error.ts';
import type { Tables } from './tables.ts';

/** The files of the assets, as the server watches them. */
export function createSource({ finder }: DataSource): Source {
  const describe = async (tables: Tables, file: TableFile): Promise<ScannedTable> => {
    const path = file.tablePath;
    try {
      return { path, columns: await finder.sampledColumns(tables, file) };
    } catch (error) {
      if (error instanceof QueryError) return { path, problem: error.message };
      throw error;
    }
  };

  return {
    async scan(asset) {
      try {
        const tables = await finder.list(asset.id);
        return { tables: await Promise.all(tables.ofAsset.map(async (file) => describe(tables, file))) };
      } catch (error) {
        if (error instanceof QueryError) return { problem: error.message };
        throw error;
      }
    },
  };
}
