import { refreshCode, resetCode, windowCode } from "../../connector/run-parameters.ts";
import type { CodeCell } from "../../notebook.ts";
import { pythonString, pythonText } from "../../text/python.ts";
import { featuresOf, type IngestedTable, type IngestionContext } from "../source-kind.ts";
import { fileWindowCode } from "../watermark-code.ts";
import {
  allColumnsCode,
  countsCode,
  deletesCode,
  replaceCode,
  targetCode,
  upsertCountsCode,
  upsertingCode,
} from "../write-code.ts";
import type { FileFormat } from "./file-format.ts";

/** Code that finds new files and writes their rows to the target. With Auto Loader, a stream finds them. */
export function fileWriteCode(
  tables: readonly IngestedTable[],
  format: FileFormat,
  { stateSql }: Pick<IngestionContext, "stateSql">,
  autoLoader: boolean,
): {
  /** The parameters of a run; the other cells use them. */
  readonly thisRun: readonly CodeCell[];
  readonly cells: readonly CodeCell[];
  readonly statements: readonly string[];
} {
  const { strategies, watermarks } = featuresOf(tables);
  const upserts = strategies.includes("upsert");
  const windows = watermarks && upserts;
  const ledger = upserts && !autoLoader ? ledgerOf(stateSql) : undefined;
  // Only an upsert depends on the order of rows in a file.
  const drop = (column: string) => (upserts && strategies.length > 1 ? `.drop("${column}")` : "");
  const isMerged = strategies.some((strategy) => strategy !== "replace");
  const replaces = strategies.includes("replace");
  const writers = {
    append: [
      appendRowsCode,
      ...(autoLoader ? [appendBatchCode(drop("__block"))] : [refreshFilesCode, appendCode(drop("__line"))]),
    ],
    upsert: [
      upsertingCode(true),
      upsertRowsCode(watermarks),
      ...(autoLoader
        ? [upsertBatchCode]
        : [upsertCountsCode, refreshKeysCode, ...(watermarks ? [backfillCode] : []), upsertCode(watermarks)]),
    ],
    replace: [replaceFilesCode(autoLoader ? "" : drop("__line"))],
  };
  const functions = [
    targetCode(strategies, format === "json"),
    ...(windows ? [fileWindowCode] : []),
    ...(isMerged ? [deletesCode] : []),
    ...(isMerged && !autoLoader ? [newFilesCode] : []),
    ...(upserts || replaces || !autoLoader ? [allColumnsCode] : []),
    ...(replaces || !autoLoader ? [replaceCode] : []),
    ...strategies.flatMap((strategy) => writers[strategy]),
    ...(autoLoader ? [writerCode(strategies.filter((strategy) => strategy !== "replace"))] : []),
    ingestCode(strategies, autoLoader),
  ];
  return {
    thisRun: isMerged ? [{ title: "This run", code: thisRunCode(windows) }] : [],
    cells: [
      ...(ledger ? [{ title: "Ledger", code: ledger.code }] : []),
      { title: "Writing", code: functions.join("\n\n\n") },
    ],
    statements: ledger?.statements ?? [],
  };
}

const thisRunCode = (windows: boolean) =>
  `
# A run reads the files that are new. With reset_watermark it reads all files again; with full_refresh it also
# deletes the rows that the files no longer have.
${resetCode}
${refreshCode}
READS_ALL = RESET_WATERMARK or FULL_REFRESH${
    windows
      ? `\n# The rows of a window are read again from all files, and nothing else is.\n${windowCode}`
      : ""
  }
`.trim();

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
    """The files that are not among the loaded ones, or have changed since; or all of them."""
    loaded = loaded.groupBy("_source_file").agg(F.max("_source_file_time").alias("loaded_time"))
    files = listed_files(table).join(loaded, "_source_file", "left")
    is_new = "loaded_time IS NULL OR loaded_time <> _source_file_time"
    return (files if READS_ALL else files.where(is_new)).collect()
`.trim();

const appendRowsCode = `
def append_rows(table, rows, changed):
    """Adds the rows of files. Those of a changed file replace its earlier rows, in the same commit."""
    insert = insertion(rows.columns)
    if not changed:
        return merge(table, rows, "false", f"WHEN NOT MATCHED {insert}")
    changed = rows.sparkSession.createDataFrame([(name,) for name in changed], "__replaces string")
    rows = rows.unionByName(changed, allowMissingColumns=True)
    condition, delete = "__target._source_file = __source.__replaces", "WHEN MATCHED THEN DELETE"
    return merge(table, rows, condition, delete, f"WHEN NOT MATCHED AND __replaces IS NULL {insert}")
`.trim();

/** A full refresh without keys. */
const refreshFilesCode = `
def refresh_by_files(table, rows, files):
    """The rows of all files replace those of the target, in one commit."""
    there = spark.createDataFrame([(file["_source_file"],) for file in files], "_source_file string")
    existing = spark.table(table["target"])
    gone = check_deletes(existing.join(there, "_source_file", "left_anti"), existing)
    return f"{len(files)} files, {replace(table, rows)} rows replaced the earlier ones, {gone} deleted"
`.trim();

/** A full refresh by keys. */
const refreshKeysCode = `
def refresh_by_keys(table, rows):
    """The newest row of each key replaces those of the target, in one commit."""
    keys = [quoted(key) for key in table["keys"]]
    rows, superseded, _, _ = newest_rows(table, rows)
    existing = spark.table(table["target"]).select(*keys)
    gone = check_deletes(existing.exceptAll(rows.select(*keys)), existing)
    report = f"{replace(table, rows.drop('__line'))} rows replaced the earlier ones, {gone} deleted"
    return report + superseded_words(superseded)
`.trim();

/** One run over a window. */
const backfillCode = `
def backfill(table):
    """Merges the rows of a window again, from all files."""
    if not table["watermark"]:
        raise ValueError("it has no watermark, so it has no windows")
    files = listed_files(table).collect()
    if not files:
        return "there are no files"
    rows = source_rows(table, files)
    done = upsert_rows(table, rows.where(window_condition(rows, table, None)))
    return ${countsCode(true)} + ", of a window"
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
    rows = rows.withColumns(fit_target(table, rows))
    if FULL_REFRESH:
        return refresh_by_files(table, rows, files)
    done = append_rows(table, rows, [file["_source_file"] for file in files if file["loaded_time"]])
    return f"{len(files)} files, {done['num_inserted_rows']} inserted, {done['num_deleted_rows']} deleted"
`.trim();

const appendBatchCode = (drop: string) =>
  `
def append_batch(table, rows):
    """The rows of the target name their files, so a repeated batch replaces its own rows."""
${drop ? `    rows = rows${drop}\n` : ""}    rows = rows.withColumns(fit_target(table, rows))
    read = rows.select("_source_file").distinct()
    earlier = rows.sparkSession.table(table["target"]).join(read, "_source_file", "left_semi")
    earlier = earlier.select("_source_file").distinct().collect()
    append_rows(table, rows, [row["_source_file"] for row in earlier])
`.trim();

const upsertRowsCode = (watermarks: boolean) =>
  `
def newest_rows(table, rows):
    """One row for each key: that of the newest ${watermarks ? "watermark, then the newest " : ""}file. Also the number of rows that
    these supersede, their columns, and those of their age."""
    rows = rows.withColumns(fit_target(table, rows.drop("__line")))
    # Columns that a file does not have are null in its rows.
    rows = with_all_columns(table, rows)
    columns = [name for name in rows.columns if name != "__line"]
    age = ${watermarks ? `([quoted(table["watermark"])] if table["watermark"] else []) + ["_source_file_time", "_source_file"]` : `["_source_file_time", "_source_file"]`}
    newest = [F.col(name).desc_nulls_last() for name in [*age, "__line"]]
    return *first_of_each_key(table, rows, newest), columns, age


def upsert_rows(table, rows):
    """An older row never replaces a newer one. One of the same age does if it is read again on purpose."""
    rows, superseded, columns, age = newest_rows(table, rows)
    source, target = (", ".join(f"{side}.{name}" for name in age) for side in ("__source", "__target"))
    sign = ">=" if READS_ALL${watermarks ? " or WINDOW" : ""} else ">"
    done = upserting(table, rows, columns, f"struct({source}) {sign} struct({target})")
    return {**done, "num_superseded_rows": superseded}
`.trim();

const upsertCode = (watermarks: boolean) =>
  `
def upsert(table):
${watermarks ? "    if WINDOW:\n        return backfill(table)\n" : ""}    files = new_files(table, spark.table(LEDGER).where(F.col("target") == table["target"]))
    if not files:
        return "no new files"
    rows = source_rows(table, files)
    if FULL_REFRESH:
        report = refresh_by_keys(table, rows)
        enter_files(table, files)
        return f"{len(files)} files, {report}"
    done = upsert_rows(table, rows)
    enter_files(table, files)
    return f"{len(files)} files, " + ${countsCode(true)}
`.trim();

const upsertBatchCode = `
def upsert_batch(table, rows, superseded):
    # The order of the rows in a file: the last one wins.
    line = F.struct(F.col("__block"), F.monotonically_increasing_id())
    done = upsert_rows(table, rows.withColumn("__line", line).drop("__block"))
    if done["num_superseded_rows"]:
        # The run reads the number from a file: a variable of another process does not reach it.
        count = rows.sparkSession.createDataFrame([(done["num_superseded_rows"],)], "superseded bigint")
        count.write.mode("append").json(superseded)
`.trim();

/** The function that a stream calls for each batch. */
const writerCode = (strategies: readonly string[]) =>
  `
def writer(table${strategies.includes("upsert") ? ", superseded" : ""}):
    """Writes a batch. It may run in another process, so it uses the session of the rows."""

    def write(rows, _):
${
  strategies.length > 1
    ? `        if table["strategy"] == "upsert":
            upsert_batch(table, rows, superseded)
        else:
            append_batch(table, rows)`
    : `        ${strategies[0]}_batch(table, rows${strategies[0] === "upsert" ? ", superseded" : ""})`
}

    return write
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

function ingestCode(strategies: readonly string[], autoLoader: boolean): string {
  const calls: Readonly<Record<string, string>> = {
    append: autoLoader ? "load(table)" : "append(table)",
    upsert: autoLoader ? "load(table)" : "upsert(table)",
    replace: "replace_by_files(table)",
  };
  const [first = "", ...others] = strategies;
  const lines = [
    ...others
      .filter((strategy) => calls[strategy] !== calls[first])
      .map((strategy) => `    if table["strategy"] == "${strategy}":\n        return ${calls[strategy]}\n`),
    `    return ${calls[first]}`,
  ];
  return `def ingest(table):\n${lines.join("")}`;
}
