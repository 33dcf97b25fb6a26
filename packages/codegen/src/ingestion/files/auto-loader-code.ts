import { createHash } from "node:crypto";
import { trimEnd } from "@lakehelm/contract/text";
import { sqlName, type TableName } from "@lakehelm/sql/names";
import { pythonConfig } from "../../connector/secret-references.ts";
import type { CodeCell } from "../../notebook.ts";
import { pythonString } from "../../text/python.ts";
import { featuresOf, type IngestedTable } from "../source-kind.ts";
import type { FileFormat } from "./file-format.ts";
import { listCode } from "./file-read-code.ts";

/** Where Auto Loader stores its checkpoints: a volume of the connector, or a folder that the request names. */
export interface CheckpointFolder {
  readonly path: string;
  readonly volume: TableName | null;
}

/** The checkpoint folder of a stream. Another source or format is another stream, so it gets another folder. */
export function checkpointOf(
  { path }: CheckpointFolder,
  table: IngestedTable,
  source: string,
  format: FileFormat,
): string {
  const stream = JSON.stringify([table.targetSql, source, format]);
  const digits = createHash("sha256").update(stream, "utf8").digest("hex").slice(0, 8);
  const words = table.target.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `${path}/${trimEnd(words.slice(0, 48), /-/)}-${digits}`;
}

export const volumePath = ({ catalog, schema, table }: TableName): string =>
  `/Volumes/${[catalog, schema, table].join("/")}`;

/** Settings of the stream. The caller's options override them; names are compared without regard to case. */
export const streamOptions = (
  format: FileFormat,
  infersTypes: boolean,
): Readonly<Record<string, string>> => ({
  "cloudFiles.format": format,
  "cloudFiles.schemaEvolutionMode": "addNewColumns",
  ...((format === "csv" || format === "json") && { "cloudFiles.inferColumnTypes": String(infersTypes) }),
  "cloudFiles.allowOverwrites": "true",
  rescuedDataColumn: "_rescued_data",
  readerCaseSensitive: "false",
});

/** Code that reads new files as a stream: the functions `stream_of` and `load`. */
export function autoLoaderCell(
  tables: readonly IngestedTable[],
  options: Readonly<Record<string, string>>,
  { path, volume }: CheckpointFolder,
  /** Whether this code must define `listed_files`. */
  lists: boolean,
): { readonly cell: CodeCell; readonly statements: readonly string[] } {
  const streamed = tables.filter(({ strategy }) => strategy !== "replace");
  const { strategies, leavesOut, watermarks } = featuresOf(streamed);
  const create = volume && `CREATE VOLUME IF NOT EXISTS ${sqlName(volume)}`;
  const code = [
    create ? volumeCode(path, create) : "",
    `# A changed file is read again (allowOverwrites), and its rows replace the earlier ones.\nSTREAM_OPTIONS = ${pythonConfig(options)}`,
    hintsCode,
    ...(leavesOut ? [personalCode] : []),
    streamCode(strategies.includes("upsert"), leavesOut),
    ...(lists ? [listCode(options)] : []),
    deleteLostCode,
    loadCode(watermarks, strategies.includes("upsert")),
  ];
  return {
    cell: { title: "Auto Loader", code: code.filter(Boolean).join("\n\n\n") },
    statements: create ? [create] : [],
  };
}

const volumeCode = (path: string, create: string) =>
  `
# Checkpoints are in a volume. Without them the next run reads every file again, which changes nothing.
if not os.path.isdir(${pythonString(path)}):
    spark.sql(${pythonString(create)})
`.trim();

const hintsCode = `
OWN_COLUMNS = ("_source_file", "_source_file_time", "_rescued_data")


def type_hints(table):
    """Declared types, and those that columns of the target have. Values that do not fit are rescued."""
    types = {}
    if spark.catalog.tableExists(table["target"]):
        for field in spark.table(table["target"]).schema:
            nested = field.dataType.simpleString().startswith(("struct<", "array<", "map<"))
            if not nested and field.name.lower() not in OWN_COLUMNS:
                types[field.name.lower()] = (field.name, field.dataType.simpleString())
    types.update({name.lower(): (name, declared) for name, declared in table["types"].items()})
    return ", ".join(f"{quoted(name)} {wanted}" for name, wanted in types.values())

`.trim();

/** Rescued values can be personal data, so only those of known columns that are not personal are kept. */
const personalCode = `
def without_personal_data(table, rows):
    rows = rows.drop(*table["left_out"])
    if not table["left_out"] or "_rescued_data" not in rows.columns:
        return rows
    kept = [*[name.lower() for name in rows.columns], "_file_path"]
    rescued = F.from_json("_rescued_data", "map<string,string>")
    rescued = F.map_filter(rescued, lambda name, _: F.lower(name).isin(kept))
    return rows.withColumn("_rescued_data", F.to_json(rescued))
`.trim();

const streamCode = (ordered: boolean, leavesOut: boolean) =>
  `
def stream_of(table, checkpoint):
    reader = spark.readStream.format("cloudFiles").options(**STREAM_OPTIONS)
    reader = reader.option("cloudFiles.schemaLocation", checkpoint)
    hints = type_hints(table)
    if hints:
        reader = reader.option("cloudFiles.schemaHints", hints)
    rows = reader.load(table["source"]).select(
        "*",
        F.col("_metadata.file_path").alias("_source_file"),
        F.col("_metadata.file_modification_time").alias("_source_file_time"),${
          ordered ? `\n        F.col("_metadata.file_block_start").alias("__block"),` : ""
        }
    )
    return ${leavesOut ? "without_personal_data(table, rows)" : "rows"}
`.trim();

/** Part of a full refresh: deletes the rows of deleted and changed files. The run reads the changed files again. */
const deleteLostCode = `
def delete_lost(table):
    """Deletes the rows of files that are gone, or have changed since: those of changed files are read again."""
    if not spark.catalog.tableExists(table["target"]):
        return
    files, existing = listed_files(table), spark.table(table["target"])
    check_deletes(existing.join(files, "_source_file", "left_anti"), existing)
    origin = ["_source_file", "_source_file_time"]
    lost = existing.join(files, origin, "left_anti").select(*origin).distinct()
    same = " AND ".join(f"__target.{name} = __source.{name}" for name in origin)
    merge(table, lost, same, "WHEN MATCHED THEN DELETE")
`.trim();

const loadCode = (watermarks: boolean, upserts: boolean) =>
  `
def load(table):
    """Reads all files that are new, in batches. A repeated batch changes nothing, so a run can end at any point."""
    checkpoint = table["checkpoint"]${
      watermarks
        ? `
    if WINDOW and not table["watermark"]:
        raise ValueError("it has no watermark, so it has no windows")
    if WINDOW:
        # A stream of its own reads all files, and the progress of the usual one stays as it is.
        checkpoint += "-window"
    if READS_ALL or WINDOW:`
        : `
    if READS_ALL:`
    }
        dbutils.fs.rm(checkpoint, True)
    if FULL_REFRESH:
        delete_lost(table)${
          upserts
            ? `
    superseded = f"{checkpoint}/superseded"
    spark.createDataFrame([], "superseded bigint").write.mode("overwrite").json(superseded)`
            : ""
        }
    for _ in range(20):
        try:
            rows = stream_of(table, checkpoint)${
              watermarks
                ? `
            if WINDOW:
                rows = rows.where(window_condition(rows, table, None))`
                : ""
            }
            query = (
                rows.writeStream.foreachBatch(writer(table${upserts ? ", superseded" : ""}))
                .option("checkpointLocation", checkpoint)
                .trigger(availableNow=True)
                .start()
            )
            query.awaitTermination()
            report = f"{len([one for one in query.recentProgress if one['numInputRows']])} batches"${
              upserts
                ? `
            counts = spark.read.schema("superseded bigint").json(superseded)
            report += superseded_words(counts.agg(F.sum("superseded")).first()[0])`
                : ""
            }
            return report
        except Exception as error:
            if "CF_EMPTY_DIR_FOR_SCHEMA_INFERENCE" in str(error):
                return "there are no files yet"
            # There is a new column. Auto Loader has recorded it, and the next start reads it.
            if "UNKNOWN_FIELD_EXCEPTION" not in str(error):
                raise
    raise RuntimeError("the files had new columns in each of 20 attempts")
`.trim();
