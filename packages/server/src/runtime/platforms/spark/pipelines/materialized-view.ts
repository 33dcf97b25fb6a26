import { noNumbers, type RowNumbers } from "@lakehelm/engine/update";
import { quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import { createWithRows, describeColumns, type ExistingTable } from "./dataset-table.ts";
import { writeMarked } from "./mark.ts";
import { requireQuery } from "./query-text.ts";
import { resolvedQuery, storageOf, type UpdateSources } from "./sources.ts";
import { checkedContent, datasetQuery, differences, hasColumns } from "./table-content.ts";

/**
 * Computes all rows and compares them with the existing ones. Equal rows are left unchanged. If rows were only added, the others
 * stay, so that the table can be read as a stream. Otherwise one commit replaces all.
 */
export async function refreshMaterializedView(
  sources: UpdateSources,
  dataset: PipelineDataset,
  existing: ExistingTable | undefined,
  isFull: boolean,
): Promise<RowNumbers> {
  const { session, pipeline, update } = sources;
  const storage = storageOf(pipeline, dataset);
  const table = sqlName(storage);
  const select = await resolvedQuery(sources, requireQuery(dataset.flows[0]));
  const content = await checkedContent(session, dataset, await datasetQuery(session, dataset, select));
  const { columns, query, rows } = content;
  const numbers = { ...noNumbers, ...content.numbers };
  const write = async (sql: string, counted: Partial<RowNumbers>) => {
    const done = { ...numbers, ...counted };
    await writeMarked(sources, table, sql, { update, step: dataset.name, numbers: done });
    return done;
  };
  if (!existing || isFull || !hasColumns(existing.columns, columns)) {
    const removed = existing ? await session.number(`SELECT count(*) FROM ${table}`) : 0;
    const sql = createWithRows(pipeline, storage, dataset, query, existing);
    const done = await write(sql, { rows_added: rows, rows_removed: removed });
    await describeColumns(session, storage, dataset);
    return done;
  }
  const list = columns.map(({ name }) => quoteIdentifier(name)).join(", ");
  const before = `SELECT ${list} FROM ${table}`;
  const { added, removed } = await differences(session, columns, query, before);
  if (added + removed === 0) return numbers;
  const counted = { rows_added: added, rows_removed: removed };
  const canAppend = removed === 0 && columns.every(({ type }) => !/MAP<|VARIANT|INTERVAL/.test(type));
  return canAppend
    ? write(
        `INSERT INTO ${table} (${list}) SELECT * FROM (\n${query}\n) EXCEPT ALL SELECT ${list} FROM ${table}`,
        counted,
      )
    : write(`INSERT OVERWRITE ${table} (${list}) ${query}`, counted);
}
