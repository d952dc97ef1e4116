import type { State } from './state.ts';

/**
 * Whether it is this process's turn to do what one of them does from time to time; then no other has a turn at it for
 * so many ms. A state that is not shared has one process, whose turn it always is.
 */
export async function takeTurn(state: State, name: string, now: number, length: number): Promise<boolean> {
  if (!state.isShared) return true;
  return state.transaction(async (run) => {
    const [row] = await run('SELECT until_at FROM turns WHERE name = $1', name);
    if (row !== undefined && Number(row[0]) > now) return false;
    await run('DELETE FROM turns WHERE name = $1', name);
    await run('INSERT INTO turns VALUES ($1, $2)', name, now + length);
    return true;
  });
}
