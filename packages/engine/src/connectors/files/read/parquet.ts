import { DataProblem } from "../../../protocol/problem.ts";
import type { DatasetDescription } from "../../../protocol/transfer.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import type { SourceContext } from "../../source/context.ts";
import { duckdbPath, openedPaths, sizeOf } from "./duckdb-paths.ts";
import { pathColumn } from "./file-columns.ts";
import type { OpenedFile } from "./file-store.ts";
import type { FormatReader } from "./format-reader.ts";
import { verifyPages } from "./page-checksums.ts";

/** Types are kept. A column that a file does not have is NULL in its rows. */
export const parquetReader = ({
  openExternal,
  signal,
}: Pick<SourceContext, "openExternal" | "signal">): FormatReader => ({
  async open(files, isSample, work) {
    if (!isSample) await verifyFiles(files, openExternal, signal);
    await work(files);
  },
  collect() {
    let columns: DatasetDescription["columns"] = [];
    return {
      async add(files, connection) {
        // Columns of earlier files: where types differ, the wider one applies.
        const nulls = columns.map(({ name, type }) => `CAST(NULL AS ${type}) AS ${quote(name)}`);
        const earlier = nulls.length === 0 ? "" : `SELECT ${nulls.join(", ")} WHERE false UNION ALL BY NAME `;
        const found = await connection.runAndReadAll(
          `DESCRIBE ${earlier}SELECT * EXCLUDE (${pathColumn}) FROM ${readParquet(files)}`,
        );
        columns = found.getRowsJson().map(([name, type]) => ({
          name: String(name),
          type: String(type),
          origin: String(type),
          nullable: true,
        }));
      },
      columns: () => columns,
    };
  },
  declares(columns, _, { types }) {
    if (Object.keys(types).length === 0) return columns;
    throw new DataProblem("connection.config.columns: Parquet files have types of their own. Remove it.");
  },
  async read(files, { into }, { select, shape, conditions }) {
    into.addBytes(sizeOf(files));
    await into.fromQuery(
      { files: openedPaths(files) },
      `SELECT ${select} FROM (${shape} UNION ALL BY NAME SELECT * FROM ${readParquet(files)}) AS row${conditions}`,
    );
  },
  value: ({ name }) => quote(name),
});

async function verifyFiles(
  files: readonly OpenedFile[],
  openExternal: SourceContext["openExternal"],
  signal: AbortSignal,
): Promise<void> {
  const { connection, close } = await openExternal({ files: openedPaths(files) });
  try {
    for (const file of files) await verifyPages(file, connection, signal);
  } finally {
    close();
  }
}

/** Without hive_partitioning, because partitions are read from the listed names of the files. */
const readParquet = (files: readonly OpenedFile[]): string =>
  `read_parquet([${files.map(({ path }) => literal(duckdbPath(path))).join(", ")}], union_by_name = true, hive_partitioning = false, filename = ${literal(pathColumn)})`;
