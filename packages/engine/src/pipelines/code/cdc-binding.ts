import { sqlName } from "@lakehelm/sql/names";
import type { AutoCdcFlow, PipelineDataset } from "@lakehelm/sql/pipelines";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { databricksType } from "../../protocol/types.ts";
import { quote } from "../../warehouse/names.ts";
import { columnList, sameName } from "../../warehouse/relation.ts";
import { splitName } from "../storage.ts";
import { type Binder, BindingFailed } from "./binder.ts";
import { type BoundCdc, eventColumns, sequenceType } from "./bound-step.ts";
import { inDeclaredTypes } from "./declared-columns.ts";
import { expressionsOf } from "./expressions.ts";
import { sequenceValue } from "./sequence-value.ts";
import { requireStreams } from "./stream-sources.ts";

/** Binds the source rows as events, and the columns of the target. */
export async function bindCdc(
  binder: Binder,
  dataset: PipelineDataset,
  flow: AutoCdcFlow,
): Promise<BoundCdc> {
  const { source, sequenceBy, deleteWhen, truncateWhen, location, scdType } = flow;
  const condition = (text: string | null) => (text === null ? "false" : `coalesce((${text}\n), false)`);
  const { sequence, deleted, truncated } = eventColumns;
  const text = [
    `SELECT *, (${sequenceValue(sequenceBy)}\n) AS ${sequence}`,
    `${condition(deleteWhen)} AS ${deleted}`,
    `${condition(truncateWhen)} AS ${truncated} FROM ${sqlName(splitName(source))}`,
  ].join(", ");
  const { catalog, schema } = dataset.table;
  const author = { sql: text, defaults: { catalog, schema }, location };
  const bound = await binder.bind(author);
  const { sql } = bound;
  const typed = await inDeclaredTypes(binder, dataset, { ...bound, text: author }, asIs);
  const columns = typed.map(({ name, type }) => ({ name, type, origin: type }));
  await requireStreams(binder, flow, sql);
  const typeOf = (name: string) => columns.find((column) => column.name === name)?.type ?? "";
  for (const name of [deleted, truncated]) {
    if (typeOf(name) === "BOOLEAN") continue;
    binder.addProblem(
      location,
      `APPLY AS ${name === deleted ? "DELETE" : "TRUNCATE"} WHEN must be a condition, but its type is ${databricksType(typeOf(name))}.`,
    );
    throw new BindingFailed();
  }
  const chosen = (choice: AutoCdcFlow["columns"]) => (column: WarehouseColumn) =>
    choice.only
      ? choice.only.some((name) => sameName(name, column.name))
      : !choice.except.some((name) => sameName(name, column.name));
  const isInternal = ({ name }: WarehouseColumn) => Object.values<string>(eventColumns).includes(name);
  const targetColumns = columns.filter((column) => !isInternal(column) && chosen(flow.columns)(column));
  const keys = flow.keys.map((key) => targetColumns.find(({ name }) => sameName(name, key))?.name);
  if (keys.includes(undefined)) {
    binder.addProblem(location, `the keys ${flow.keys.join(", ")} must be among the columns of the target.`);
    throw new BindingFailed();
  }
  const isKey = ({ name }: WarehouseColumn) => keys.includes(name);
  const tracked = targetColumns.filter(
    (column) => !isKey(column) && (!flow.trackHistory || chosen(flow.trackHistory)(column)),
  );
  const internal = [sequence, deleted, truncated].map(quote).join(", ");
  return {
    kind: "auto_cdc",
    definition: flow,
    sql: `SELECT ${columnList(targetColumns)}, ${internal} FROM (SELECT ${typed.map(({ selected }) => selected).join(", ")} FROM (${sql}))`,
    columns: targetColumns,
    keys: keys.filter((key) => key !== undefined),
    sequence: { name: sequence, type: typeOf(sequence), origin: typeOf(sequence) },
    tracked: scdType === 2 ? tracked : [],
    clauses: {
      ...tableClauses(flow, typeOf(sequence)),
      ...flowClauses(await expressionsOf(binder.context.connection, sql)),
    },
  };
}

const asIs = (column: string): string => column;

/** Clauses that all flows into a table must share, also removed flows. */
function tableClauses(flow: AutoCdcFlow, typeOfSequence: string): Record<string, string> {
  const named = (choice: AutoCdcFlow["trackHistory"]) =>
    JSON.stringify([choice?.only ?? null, choice?.except ?? []].map((names) => names && lowerCase(names)));
  return {
    KEYS: JSON.stringify(lowerCase(flow.keys)),
    [sequenceType]: typeOfSequence,
    "SCD TYPE": String(flow.scdType),
    "IGNORE NULL UPDATES": String(flow.ignoreNullUpdates),
    COLUMNS: named(flow.columns),
    "TRACK HISTORY": named(flow.trackHistory),
  };
}

const lowerCase = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase()).toSorted();

/** The clauses as DuckDB writes them, so that formatting does not matter. */
const flowClauses = ([, sequenceBy = "", deleteWhen = "", truncateWhen = ""]: readonly string[]) => ({
  "SEQUENCE BY": sequenceBy,
  "APPLY AS DELETE WHEN": deleteWhen,
  "APPLY AS TRUNCATE WHEN": truncateWhen,
});
