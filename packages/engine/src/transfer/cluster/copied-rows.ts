import { randomUUID } from "node:crypto";
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { quoteIdentifier, sqlName, sqlString } from "@lakehelm/sql/names";
import { literal, quote, type TableName } from "../../warehouse/names.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { typeOnCluster } from "./cluster-types.ts";
import type { StagedFiles } from "./staged-files.ts";

/** A column of a table of the cluster, with the type of its values here. What has no type here is copied as text. */
export function copiedColumn({ name, type: onCluster }: { readonly name: string; readonly type: string }) {
  const type = typeOnCluster(onCluster);
  const quoted = quoteIdentifier(name);
  if (type !== undefined && type !== "VARIANT" && type !== "INTERVAL")
    return { name, type, selected: quoted };
  return { name, type: "VARCHAR", selected: `CAST(${quoted} AS STRING) AS ${quoted}` };
}

type CopiedColumn = ReturnType<typeof copiedColumn>;

/** The cluster writes the rows as Parquet where this machine sees them. `work` gets a relation of them, for as long as it takes. */
export async function withCopiedRows<Result>(
  session: ClusterSession,
  files: StagedFiles,
  { stagingFolder }: Pick<Warehouse, "stagingFolder">,
  table: TableName,
  columns: readonly CopiedColumn[],
  work: (relation: string) => Promise<Result>,
  /** SQL after the name `t` of the table: which rows. */
  which = "",
): Promise<Result> {
  const attempt = randomUUID();
  const local = join(stagingFolder, `copy-${attempt}`);
  try {
    const folder = await files.folderForCluster(`copy-${attempt}`);
    await session.rows(
      `INSERT OVERWRITE DIRECTORY ${sqlString(`file://${folder}`)} USING parquet SELECT ${columns.map(({ selected }) => selected).join(", ")} FROM ${sqlName(table)} t ${which}`,
    );
    await mkdir(local, { recursive: true });
    // Only files: a link could lead to one that the cluster must not see.
    const parts = (await readdir(folder, { withFileTypes: true })).filter(
      (file) => file.isFile() && /^part-.*\.parquet$/.test(file.name),
    );
    for (const { name } of parts) await copyFile(join(folder, name), join(local, name));
    const valuesOf = (value: (column: CopiedColumn) => string) =>
      columns.map((column) => `CAST(${value(column)} AS ${column.type}) AS ${quote(column.name)}`).join(", ");
    return await work(
      parts.length === 0
        ? `(SELECT ${valuesOf(() => "NULL")} WHERE false)`
        : `(SELECT ${valuesOf(({ name }) => quote(name))} FROM read_parquet(${literal(join(local, "*.parquet"))}))`,
    );
  } finally {
    await rm(local, { recursive: true, force: true });
  }
}
