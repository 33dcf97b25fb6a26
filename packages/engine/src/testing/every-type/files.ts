import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { literal } from "../../warehouse/names.ts";
import { duckdbRows } from "./duckdb.ts";
import type { TypedSource } from "./watermark-suite.ts";

type Row = readonly [id: number, value: string];

/** A folder of files for each table, which are written anew with each row. The types of CSV and JSON are declared, in Spark's spelling. */
export function fileTypes(path: string, format: "csv" | "json" | "parquet"): TypedSource {
  const tables = new Map<string, { readonly declared: string; readonly rows: Row[] }>();
  return {
    get connection() {
      const columns = Object.fromEntries([...tables].map(([name, { declared }]) => [name, { v: declared }]));
      return { type: "files", config: { path, format, ...(format !== "parquet" && { columns }) } };
    },
    async create(table, declared) {
      tables.set(table, { declared, rows: [] });
      await mkdir(join(path, table), { recursive: true });
    },
    async insert(table, added) {
      const { rows, declared } = tables.get(table) ?? { rows: [], declared: "" };
      rows.push(...added);
      const file = join(path, table, `rows.${format}`);
      if (format === "parquet") {
        const values = rows.map(([id, value]) => `(${id}, ${literal(value)})`).join(", ");
        const typed = `SELECT id, TRY_CAST(v AS ${declared}) AS v FROM (VALUES ${values}) t(id, v)`;
        await duckdbRows(":memory:", `COPY (${typed}) TO ${literal(file)}`);
      } else {
        const lines = rows.map(([id, v]) =>
          format === "json" ? JSON.stringify({ id, v }) : `${id},"${v.replaceAll('"', '""')}"`,
        );
        await writeFile(file, `${[...(format === "csv" ? ["id,v"] : []), ...lines].join("\n")}\n`);
      }
    },
  };
}
