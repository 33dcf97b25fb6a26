import type { DuckDBConnection } from "@duckdb/node-api";
import { connectorRefreshCommand } from "@lakehelm/contract/changes";
import type { WarehouseColumn } from "../protocol/column.ts";
import type { TransferRequest } from "../protocol/transfer.ts";
import { fullName, quote, sqlName, type TableName } from "../warehouse/names.ts";
import { sameName, scalar } from "../warehouse/relation.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import { isWidening, widerOnDelta, widerType } from "../warehouse/type-widening.ts";
import { keptColumn, keptSentence, keptTypes } from "./kept-types.ts";
import { asText } from "./schema-change.ts";

/** A column whose inferred type does not fit that of the table. */
export interface TypeChange {
  readonly column: string;
  readonly sentence: string;
}

/** Columns whose values seem to have another type than before. Shown if their rows are rejected. */
export const inferredTypeChanges = (
  inferred: readonly WarehouseColumn[],
  used: readonly WarehouseColumn[],
  table: TableName,
  { connector, dataset, cluster }: Pick<TransferRequest, "connector" | "dataset" | "cluster">,
): TypeChange[] =>
  inferred.flatMap(({ name, type }, at) => {
    const known = used[at]?.type ?? type;
    if (known === type || isWidening(type, known)) return [];
    if (used[at]?.kept) return [{ column: name, sentence: keptSentence(table, name, known, type) }];
    const sentence = `The type of the column ${JSON.stringify(name)} has changed: it is ${known} in ${fullName(table)}, but the source now has values of the type ${type}. ${asText(table, { name }, known, type, { dataset, ...(cluster && { cluster }) })}If they are right, change the column and read all rows again: ${connectorRefreshCommand(connector, dataset.target)}`;
    return [{ column: name, sentence }];
  });

/**
 * Replaces inferred types by those of the existing table, or by a type that holds both: a file or API that has 1 today
 * and 1.5 tomorrow widens its column. A text does not widen a column of numbers: its row is a reject. A type that was
 * set by hand stays, regardless of the source.
 */
export async function useTableTypes(
  connection: DuckDBConnection,
  table: TableName,
  columns: readonly WarehouseColumn[],
  { changesTypes, cluster }: Pick<TransferRequest, "changesTypes" | "cluster">,
): Promise<readonly WarehouseColumn[]> {
  const existing = await readColumns(connection, table);
  if (!existing) return columns;
  const kept = await keptTypes(connection, table);
  const used = columns.map(async (column): Promise<WarehouseColumn> => {
    const known = existing.find(({ name }) => sameName(name, column.name));
    if (known && kept.has(known.name.toLowerCase())) return keptColumn(column, known.type, kept);
    if (!known || !column.inferred || known.type === column.type) return column;
    const wider = isWidening(column.type, known.type)
      ? known.type
      : cluster
        ? widerOnDelta(known.type, column.type)
        : (widerType(known.type, column.type) ?? (await exactReal(connection, table, known, column)));
    if (wider === undefined && changesTypes) return column;
    const { name, origin } = column;
    const type = wider ?? known.type;
    return {
      ...{ name, type, origin, inferred: true },
      ...(type !== "VARCHAR" && { wire: "VARCHAR" }),
      ...(wider !== undefined && wider !== known.type && { widensTo: wider }),
    };
  });
  return Promise.all(used);
}

/** Large integers are not exact in a DOUBLE; those of the table may be small enough. */
async function exactReal(
  connection: DuckDBConnection,
  table: TableName,
  known: WarehouseColumn,
  { type }: WarehouseColumn,
): Promise<string | undefined> {
  if (type !== "DOUBLE" || known.type !== "BIGINT") return undefined;
  const name = quote(known.name);
  const isExact = await scalar(
    connection,
    `SELECT coalesce(min(${name}) >= -9007199254740992 AND max(${name}) <= 9007199254740992, true) FROM ${sqlName(table)}`,
  );
  return isExact === true ? "DOUBLE" : undefined;
}
