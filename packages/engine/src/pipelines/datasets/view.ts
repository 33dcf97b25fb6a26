import { quote, sqlName } from "../../warehouse/names.ts";
import type { BoundDataset } from "../code/bound-step.ts";
import { relationKind } from "../storage.ts";
import { type DatasetOutcome, unchanged } from "./dataset-outcome.ts";
import { checkExpectations, keepCondition } from "./expectations.ts";
import { type DatasetSources, resolveTables } from "./source-relations.ts";

/** Checks the expectations of a view. A public view is created in the warehouse, where queries can read it. */
export async function refreshView(
  sources: DatasetSources,
  bound: BoundDataset,
  before: string | undefined,
): Promise<DatasetOutcome> {
  const { connection } = sources;
  const { dataset, storage, columns, expectations, flows } = bound;
  const [flow] = flows;
  const select = await resolveTables(sources, flow?.sql ?? "");
  const table = dataset.table.table;
  const results = await checkExpectations(connection, `(${select})`, dataset, expectations);
  const definition = JSON.stringify([select, keepCondition(expectations), columns]);
  const outcome = { ...unchanged, ...results, definition };
  const kind = dataset.isPrivate ? undefined : await relationKind(connection, storage);
  // An unchanged view keeps its comments.
  if (dataset.isPrivate || (kind === "view" && definition === before)) return outcome;
  const name = sqlName(storage);
  if (kind === "table") await connection.run(`DROP TABLE ${name}`);
  await connection.run(
    `CREATE OR REPLACE VIEW ${name} AS SELECT * FROM (${select}) AS ${quote(table)} WHERE ${keepCondition(expectations)}`,
  );
  return { ...outcome, change: kind === "table" ? "rewritten" : null };
}
