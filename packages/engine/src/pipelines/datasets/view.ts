import { quote, sqlName } from "../../warehouse/names.ts";
import type { BoundDataset } from "../code/bound-step.ts";
import { relationKind } from "../storage.ts";
import { type DatasetOutcome, unchanged } from "./dataset-outcome.ts";
import { checkExpectations, keepCondition } from "./expectations.ts";
import { resolveTables, type SourceContext2 } from "./source-relations.ts";

/** Counts what a view expects; one that others may see is made in the warehouse, where queries read it. */
export async function refreshView(
  sources: SourceContext2,
  bound: BoundDataset,
  before: string | undefined,
): Promise<DatasetOutcome> {
  const { connection } = sources;
  const { dataset, storage, columns, expectations, flows } = bound;
  const [flow] = flows;
  const select = await resolveTables(sources, flow?.sql ?? "");
  const table = dataset.table.table;
  const judged = await checkExpectations(
    connection,
    `(${select})`,
    { name: dataset.name, table, columns },
    expectations,
  );
  const definition = JSON.stringify([select, keepCondition(expectations), columns]);
  const outcome = { ...unchanged, ...judged, definition };
  const kind = dataset.isPrivate ? undefined : await relationKind(connection, storage);
  // One that is the same keeps what people say of it.
  if (dataset.isPrivate || (kind === "view" && definition === before)) return outcome;
  const name = sqlName(storage);
  if (kind === "table") await connection.run(`DROP TABLE ${name}`);
  await connection.run(
    `CREATE OR REPLACE VIEW ${name} AS SELECT * FROM (${select}) AS ${quote(table)} WHERE ${keepCondition(expectations)}`,
  );
  return { ...outcome, change: kind === "table" ? "rewritten" : null };
}
