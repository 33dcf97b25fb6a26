import { pythonValue } from "../../text/python.ts";
import { jsonTypesCode } from "../json-types-code.ts";
import { featuresOf, type IngestedTable } from "../source-kind.ts";
import type { TypeSettings } from "./column-types.ts";
import { csvReadCode } from "./csv-read-code.ts";
import type { FileFormat } from "./file-format.ts";

/** Settings that select files. The listing must select the same files as the reader. */
const filterOptions = ["pathglobfilter", "modifiedbefore", "modifiedafter"];

/** Code that reads a folder as rows, each with its file and the file's modification time. */
export function fileReadCode(
  tables: readonly IngestedTable[],
  format: FileFormat,
  options: Readonly<Record<string, string>>,
  { declared, inferred }: TypeSettings,
): string {
  const { strategies, leavesOut } = featuresOf(tables);
  const drop = leavesOut ? `.drop(*table["left_out"])` : "";
  return [
    ...(format === "json" ? [jsonTypesCode(true)] : []),
    listCode(options),
    exactCode,
    originCode(strategies.includes("upsert")),
    ...(declared ? [declaredCode] : []),
    format === "csv" ? csvReadCode(options, { declared, inferred }, drop) : readers[format](drop, declared),
  ].join("\n\n\n");
}

/** Python: `listed_files()`. */
export const listCode = (options: Readonly<Record<string, string>>): string => {
  const chosen = Object.entries(options).filter(([name]) => filterOptions.includes(name.toLowerCase()));
  const listing = { recursiveFileLookup: "true", ...Object.fromEntries(chosen) };
  return `
def listed_files(table):
    """Every file's path, its name in the rows, and its time. No content is read."""
    files = spark.read.format("binaryFile").options(**${pythonValue(listing)})
    return files.load(table["source"]).select(
        "path",
        F.col("_metadata.file_path").alias("_source_file"),
        F.col("_metadata.file_modification_time").alias("_source_file_time"),
    )
`.trim();
};

const exactCode = String.raw`
def exact(path):
    """Escapes a path, which readers take for a pattern."""
    return re.sub(r"([\\\[\]{}*?])", r"\\\1", path)
`.trim();

const originCode = (ordered: boolean) =>
  `
def with_origin(rows):
    return rows.select(
        "*",
        F.col("_metadata.file_path").alias("_source_file"),
        F.col("_metadata.file_modification_time").alias("_source_file_time"),${
          ordered
            ? `
        # The order of the rows in a file: the last one wins.
        F.struct(F.col("_metadata.file_block_start"), F.monotonically_increasing_id()).alias("__line"),`
            : ""
        }
    )
`.trim();

const declaredCode = `
def declared_types(table):
    types = ", ".join(f"{quoted(name)} {declared}" for name, declared in table["types"].items())
    return {field.name.lower(): field.dataType for field in spark.createDataFrame([], types or "x int").schema}
`.trim();

const readers: Readonly<Record<Exclude<FileFormat, "csv">, (drop: string, declared: boolean) => string>> = {
  avro: (drop) =>
    `
def source_rows(table, files):
    """Reads files with different columns separately: a reader uses the columns of one file for all."""
    reader = spark.read.format("avro").options(**OPTIONS)
    groups = {}
    for path in (exact(file["path"]) for file in files):
        columns = reader.load(path).schema  # the header of the file has them
        groups.setdefault(columns.json(), (columns, []))[1].append(path)
    parts = [with_origin(reader.schema(columns).load(paths)) for columns, paths in groups.values()]
    return functools.reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), parts)${drop}
`.trim(),
  parquet: (drop) =>
    `
def source_rows(table, files):
    reader = spark.read.format("parquet").options(**OPTIONS)
    return with_origin(reader.load([exact(file["path"]) for file in files]))${drop}
`.trim(),
  json: (drop, declared) =>
    `
def source_rows(table, files):
    reader, paths = spark.read.format("json").options(**OPTIONS), [exact(file["path"]) for file in files]
    known = ${declared ? "{**known_types(table), **declared_types(table)}" : "known_types(table)"}
    fields = [
        StructField(field.name, agreed_type(field.name, field.dataType, known.get(field.name.lower(), field.dataType)))
        for field in reader.load(paths).schema
    ]
    return with_origin(reader.schema(StructType(fields)).load(paths))${drop}
`.trim(),
};
