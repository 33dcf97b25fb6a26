import { DataProblem } from "../../../protocol/problem.ts";
import { literal, quote } from "../../../warehouse/names.ts";
import { pathColumn } from "./file-columns.ts";
import { duckdbPath, type ListedFile, openedPaths, sizeOf } from "./file-listing.ts";
import type { FormatReader } from "./format-reader.ts";

/** Types are kept. A column that a file does not have is NULL in its rows. */
export const parquetReader: FormatReader = {
  async columns(files, connection) {
    const found = await connection.runAndReadAll(
      `DESCRIBE SELECT * EXCLUDE (${pathColumn}) FROM ${readParquet(files)}`,
    );
    return found.getRowsJson().map(([name, type]) => ({
      name: String(name),
      type: String(type),
      origin: String(type),
      nullable: true,
    }));
  },
  declares(columns, _, { types }) {
    if (Object.keys(types).length === 0) return columns;
    throw new DataProblem("connection.config.columns: Parquet files have types of their own. Remove it.");
  },
  async read(files, { into }, { select, shape, where }) {
    into.addBytes(await sizeOf(files));
    await into.fromQuery(
      { files: openedPaths(files) },
      `SELECT ${select} FROM (${shape} UNION ALL BY NAME SELECT * FROM ${readParquet(files)}) AS row${where}`,
    );
  },
  value: ({ name }) => quote(name),
};

const readParquet = (files: readonly ListedFile[]): string =>
  `read_parquet([${files.map(({ path }) => literal(duckdbPath(path))).join(", ")}], union_by_name = true, filename = ${literal(pathColumn)})`;
