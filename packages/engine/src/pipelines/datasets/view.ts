import { quote, sqlName } from "../../warehouse/names.ts";
import type { BoundDataset } from "../code/bound-step.ts";
import { kindOf } from "../storage.ts";
import { type Outcome, untouched } from "./dataset-outcome.ts";
import { judge, mayStay } from "./expectations.ts";
import { resolved, type Sources } from "./source-relations.ts";

/** Counts what a view expects; one that others may see is made in the warehouse, where queries read it. */
export async function refreshView(
  sources: Sources,
  bound: BoundDataset,
  before: string | undefined,
): Promise<Outcome> {
  const { connection } = sources;
  const { dataset, storage, columns, expectations, flows } = bound;
  const [flow] = flows;
  const select = await resolved(sources, flow?.sql ?? "");
  const table = dataset.table.table;
  const judged = await judge(connection, `(${select})`, { name: dataset.name, table, columns }, expectations);
  const definition = JSON.stringify([select, mayStay(expectations), columns]);
  const outcome = { ...untouched, ...judged, definition };
  const kind = dataset.isPrivate ? undefined : await kindOf(connection, storage);
  // One that is the same keeps what people say of it.
  if (dataset.isPrivate || (kind === "view" && definition === before)) return outcome;
  const name = sqlName(storage);
  if (kind === "table") await connection.run(`DROP TABLE ${name}`);
  await connection.run(
    `CREATE OR REPLACE VIEW ${name} AS SELECT * FROM (${select}) AS ${quote(table)} WHERE ${mayStay(expectations)}`,
  );
  return { ...outcome, change: kind === "table" ? "rewritten" : null };
}
