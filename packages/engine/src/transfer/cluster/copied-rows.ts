import { randomUUID } from "node:crypto";
import { quoteIdentifier, sqlName, sqlString } from "@lakehelm/sql/names";
import { quote, type TableName } from "../../warehouse/names.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { typeOnCluster } from "./cluster-types.ts";
import type { StagedFiles } from "./staged-files.ts";

/**
 * A column of a table of the cluster, with the type of its values here. A column whose type does not exist here is
 * copied as text.
 */
export function copiedColumn({ name, type: onCluster }: { readonly name: string; readonly type: string }) {
  const type = typeOnCluster(onCluster);
  const quoted = quoteIdentifier(name);
  if (type !== undefined && type !== "VARIANT" && type !== "INTERVAL")
    return { name, type, onCluster, selected: quoted };
  return { name, type: "VARCHAR", onCluster, selected: `CAST(${quoted} AS STRING) AS ${quoted}` };
}

export type CopiedColumn = ReturnType<typeof copiedColumn>;

/**
 * The cluster writes the rows as Parquet where this machine sees them. `work` gets a relation with the rows, which
 * exists until `work` ends.
 */
export async function withCopiedRows<Result>(
  session: ClusterSession,
  files: StagedFiles,
  table: TableName,
  columns: readonly CopiedColumn[],
  work: (relation: string) => Promise<Result>,
  /** SQL that follows the table `t` and selects rows. */
  which = "",
  /** The version of a Delta table; undefined for the newest version. */
  version?: number,
): Promise<Result> {
  const name = `copy-${randomUUID()}`;
  try {
    const address = await files.writableByCluster(name);
    await session.rows(
      `INSERT OVERWRITE DIRECTORY ${sqlString(address)} USING parquet SELECT ${columns.map(({ selected }) => selected).join(", ")} FROM ${sqlName(table)}${version === undefined ? "" : ` VERSION AS OF ${version}`} t ${which}`,
    );
    const copied = await files.retrieve(name);
    const valuesOf = (value: (column: CopiedColumn) => string) =>
      columns.map((column) => `CAST(${value(column)} AS ${column.type}) AS ${quote(column.name)}`).join(", ");
    return await work(
      copied === undefined
        ? `(SELECT ${valuesOf(() => "NULL")} WHERE false)`
        : `(SELECT ${valuesOf(({ name }) => quote(name))} FROM ${copied})`,
    );
  } finally {
    await files.discard(name);
  }
}
