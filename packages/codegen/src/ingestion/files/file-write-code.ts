import type { CodeCell } from "../../notebook.ts";
import { pythonString, pythonText } from "../../text/python.ts";
import { featuresOf, type IngestedTable, type IngestionContext } from "../source-kind.ts";
import { allColumnsCode, replaceCode, targetCode, upsertingCode } from "../write-code.ts";
import type { FileFormat } from "./file-format.ts";

/** Code that finds new files and writes their rows to the target. */
export function fileWriteCode(
  tables: readonly IngestedTable[],
  format: FileFormat,
  { stateSql }: IngestionContext,
): { readonly cells: readonly CodeCell[]; readonly statements: readonly string[] } {
  const { strategies, watermarks } = featuresOf(tables);
  const ledger = strategies.includes("upsert") ? ledgerOf(stateSql) : undefined;
  // Only an upsert needs the order of rows in a file.
  const mixed = ledger && strategies.length > 1 ? `.drop("__line")` : "";
  const writers = {
    append: [appendCode(mixed)],
    upsert: [upsertingCode(true), upsertCode(watermarks)],
    replace: [replaceCode, replaceFilesCode(mixed)],
  };
  const functions = [
    targetCode(format === "json"),
    ...(strategies.some((strategy) => strategy !== "replace") ? [newFilesCode] : []),
    ...(ledger || strategies.includes("replace") ? [allColumnsCode] : []),
    ...strategies.flatMap((strategy) => writers[strategy]),
    ingestCode(strategies),
  ];
  return {
    cells: [
      ...(ledger ? [{ title: "Ledger", code: ledger.code }] : []),
      { title: "Writing", code: functions.join("\n\n\n") },
    ],
    statements: ledger?.statements ?? [],
  };
}

function ledgerOf(stateSql: string) {
  const create = [
    `CREATE TABLE IF NOT EXISTS ${stateSql}`,
    "(target STRING, _source_file STRING, _source_file_time TIMESTAMP, updated_at TIMESTAMP) USING DELTA",
  ].join("\n");
  const enter = [
    `MERGE INTO ${stateSql} AS ledger USING loaded_files AS loaded`,
    "ON ledger.target = loaded.target AND ledger._source_file = loaded._source_file",
    "WHEN MATCHED THEN UPDATE SET _source_file_time = loaded._source_file_time, updated_at = current_timestamp()",
    "WHEN NOT MATCHED THEN INSERT (target, _source_file, _source_file_time, updated_at)",
    "VALUES (loaded.target, loaded._source_file, loaded._source_file_time, current_timestamp())",
  ].join("\n");
  const code = `
# The files that were merged into each target. It is written after the rows: after a crash in between,
# the next run merges the same files again, which changes nothing.
LEDGER = ${pythonString(stateSql)}
spark.sql${pythonText(create)}


def enter_files(table, files):
    entries = [(table["target"], file["_source_file"], file["_source_file_time"]) for file in files]
    loaded = spark.createDataFrame(entries, "target string, _source_file string, _source_file_time timestamp")
    loaded.createOrReplaceTempView("loaded_files")
    spark.sql${pythonText(enter).replaceAll("\n", "\n    ")}
`;
  return { code, statements: [create, enter] };
}

const newFilesCode = `
def new_files(table, loaded):
    """The files that are not among the loaded ones, or have changed since."""
    loaded = loaded.groupBy("_source_file").agg(F.max("_source_file_time").alias("loaded_time"))
    files = listed_files(table).join(loaded, "_source_file", "left")
    return files.where("loaded_time IS NULL OR loaded_time <> _source_file_time").collect()
`.trim();

const appendCode = (drop: string) =>
  `
def append(table):
    """The rows of the target name their files, so one commit writes the rows and the progress."""
    if spark.catalog.tableExists(table["target"]):
        files = new_files(table, spark.table(table["target"]))
    else:
        files = listed_files(table).withColumn("loaded_time", F.lit(None)).collect()
    if not files:
        return "no new files"
    rows = source_rows(table, files)${drop}
    fit_target(table, rows)
    insert = insertion(rows.columns)
    changed = [(file["_source_file"],) for file in files if file["loaded_time"]]
    if changed:
        # The rows of a changed file replace its earlier rows.
        rows = rows.unionByName(spark.createDataFrame(changed, "__replaces string"), allowMissingColumns=True)
        condition, delete = "__target._source_file = __source.__replaces", "WHEN MATCHED THEN DELETE"
        done = merge(table, rows, condition, delete, f"WHEN NOT MATCHED AND __replaces IS NULL {insert}")
    else:
        done = merge(table, rows, "false", f"WHEN NOT MATCHED {insert}")
    return f"{len(files)} files, {done['num_inserted_rows']} inserted, {done['num_deleted_rows']} deleted"
`.trim();

const upsertCode = (watermarks: boolean) =>
  `
def upsert(table):
    """One row for each key: that of the newest ${watermarks ? "watermark, then the newest " : ""}file. An older one never replaces it."""
    files = new_files(table, spark.table(LEDGER).where(F.col("target") == table["target"]))
    if not files:
        return "no new files"
    rows = source_rows(table, files)
    fit_target(table, rows.drop("__line"))
    # Columns that a file does not have are null in its rows.
    rows = with_all_columns(table, rows)
    columns = [name for name in rows.columns if name != "__line"]
    age = ${watermarks ? `([quoted(table["watermark"])] if table["watermark"] else []) + ["_source_file_time", "_source_file"]` : `["_source_file_time", "_source_file"]`}
    newest = [F.col(name).desc_nulls_last() for name in [*age, "__line"]]
    source, target = (", ".join(f"{side}.{name}" for name in age) for side in ("__source", "__target"))
    rows = first_of_each_key(table, rows, newest)
    done = upserting(table, rows, columns, f"struct({source}) > struct({target})")
    enter_files(table, files)
    return f"{len(files)} files, {done['num_inserted_rows']} inserted, {done['num_updated_rows']} updated"
`.trim();

const replaceFilesCode = (drop: string) =>
  `
def replace_by_files(table):
    files = listed_files(table).collect()
    if not files:
        return "there are no files: the table is not changed"
    count = replace(table, source_rows(table, files)${drop})
    return f"{len(files)} files, {count} rows replaced the earlier ones"
`.trim();

function ingestCode(strategies: readonly string[]): string {
  const calls: Readonly<Record<string, string>> = {
    append: "append(table)",
    upsert: "upsert(table)",
    replace: "replace_by_files(table)",
  };
  const [first = "", ...others] = strategies;
  const lines = [
    ...others.map(
      (strategy) => `    if table["strategy"] == "${strategy}":\n        return ${calls[strategy]}\n`,
    ),
    `    return ${calls[first]}`,
  ];
  return `def ingest(table):\n${lines.join("")}`;
}
