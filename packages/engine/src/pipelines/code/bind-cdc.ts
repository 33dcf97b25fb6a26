import type { AutoCdc, PipelineDataset } from "@lakehelm/codegen/pipelines";
import type { Column } from "../../column.ts";
import { list, same } from "../../moving/relation.ts";
import { quote } from "../../warehouse/names.ts";
import { shownType } from "../../warehouse/types.ts";
import { type Binding, Unbound } from "./binding.ts";
import { type BoundCdc, eventColumns } from "./bound.ts";
import { requireStreams } from "./stream-sources.ts";

const quoted = (name: string): string =>
  name
    .split(".")
    .map((part) => `\`${part.replaceAll("`", "``")}\``)
    .join(".");

/** The source's rows as events, and what of them the target keeps. */
export async function bindCdc(
  binding: Binding,
  { table }: PipelineDataset,
  feeding: AutoCdc,
): Promise<BoundCdc> {
  const { source, sequenceBy, deleteWhen, truncateWhen, at, scdType } = feeding;
  const condition = (text: string | null) => (text === null ? "false" : `coalesce((${text}\n), false)`);
  const { sequence, deleted, truncated } = eventColumns;
  const text = [
    `SELECT *, (${sequenceBy}\n) AS ${sequence}`,
    `${condition(deleteWhen)} AS ${deleted}`,
    `${condition(truncateWhen)} AS ${truncated} FROM ${quoted(source)}`,
  ].join(", ");
  const { catalog, schema } = table;
  const { sql, columns } = await binding.bind({ sql: text, within: { catalog, schema }, at });
  await requireStreams(binding, feeding, sql);
  const typeOf = (name: string) => columns.find((column) => column.name === name)?.type ?? "";
  for (const name of [deleted, truncated]) {
    if (typeOf(name) === "BOOLEAN") continue;
    binding.complain(
      at,
      `what says which rows are applied otherwise is no condition: it gives ${shownType(typeOf(name))}.`,
    );
    throw new Unbound();
  }
  const chosen = (choice: AutoCdc["columns"]) => (column: Column) =>
    choice.only
      ? choice.only.some((name) => same(name, column.name))
      : !choice.except.some((name) => same(name, column.name));
  const isOurs = ({ name }: Column) => Object.values<string>(eventColumns).includes(name);
  const kept = columns.filter((column) => !isOurs(column) && chosen(feeding.columns)(column));
  const keys = feeding.keys.map((key) => kept.find(({ name }) => same(name, key))?.name);
  if (keys.includes(undefined)) {
    binding.complain(at, `the keys ${feeding.keys.join(", ")} must be among the columns of the target.`);
    throw new Unbound();
  }
  const isKey = ({ name }: Column) => keys.includes(name);
  const tracked = kept.filter(
    (column) => !isKey(column) && (!feeding.trackHistory || chosen(feeding.trackHistory)(column)),
  );
  const own = [sequence, deleted, truncated].map(quote).join(", ");
  return {
    kind: "auto_cdc",
    feeding,
    sql: `SELECT ${list(kept)}, ${own} FROM (${sql})`,
    columns: kept,
    keys: keys.filter((key) => key !== undefined),
    sequence: columns.find((column) => column.name === sequence) as Column,
    tracked: scdType === 2 ? tracked : [],
  };
}
