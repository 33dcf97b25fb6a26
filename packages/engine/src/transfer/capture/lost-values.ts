import type { IngestRun } from "../ingest-run.ts";
import { stagedChanges, valueColumn } from "./change-stage.ts";

/** Changes of rows that the table does not have. The changes lack the large values that they left as they were. */
export interface LostChanges {
  /** SQL: the changes `c` with the row `e` of the table that each belongs to. */
  readonly from: string;
  /** SQL: the change needs values of the row, and there is none. */
  readonly isLost: string;
}

/**
 * A row that was rejected is not in the table. If a change repairs the row without its large values, these values are
 * neither in the log nor in the table, so they are read from the source by the key, as they are now: what has changed
 * them since is in the log of the next run. Returns whether rows can be found by their keys. A row that the source no
 * longer has is deleted by the next run.
 */
export async function fillLostValues(
  { connection, columns, keys, source, request }: IngestRun,
  { from, isLost }: LostChanges,
): Promise<boolean> {
  const keyColumns = keys.map((key) => valueColumn(columns.findIndex(({ name }) => name === key)));
  const read = await connection.runAndReadAll(
    `SELECT c.n, c.unchanged, ${keyColumns.map((name) => `c.${name}`).join(", ")} FROM ${from} WHERE ${isLost}`,
  );
  const lost = read.getRowsJson().map(([n, unchanged, ...key]) => ({
    n: String(n),
    places: String(unchanged).split(",").filter(Boolean).map(Number),
    key: key.map(String),
  }));
  if (lost.length === 0) return true;
  const log = source.changeLog?.(request.connector);
  for (const [, group] of Map.groupBy(lost, ({ places }) => places.join())) {
    const { places } = group[0] ?? { places: [] };
    const names = places.map((place) => columns[place]?.name ?? "");
    const found = await log?.valuesOf(
      request.dataset.source,
      keys,
      names,
      group.map(({ key }) => key),
    );
    if (!found) return false;
    const values = new Map(found.map((row) => [JSON.stringify(row.key), row.values]));
    for (const { n, key } of group) {
      const row = values.get(JSON.stringify(key));
      if (!row) continue;
      const assigned = places.map((place, at) => `${valueColumn(place)} = $${at + 1}`);
      await connection.run(
        `UPDATE ${stagedChanges} SET ${assigned.join(", ")}, unchanged = NULL WHERE n = ${n}`,
        [...row],
      );
    }
  }
  return true;
}
