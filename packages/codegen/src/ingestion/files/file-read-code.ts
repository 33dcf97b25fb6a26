import { pythonValue } from "../../text/python.ts";
import { jsonTypesCode } from "../json-types-code.ts";
import { featuresOf, type IngestedTable } from "../source-kind.ts";
import type { FileFormat } from "./file-format.ts";

/** Settings that choose files: the listing must see the same ones as the reader. */
const filterOptions = ["pathglobfilter", "modifiedbefore", "modifiedafter"];

/** Code that reads a folder as rows, each with its file and the file's modification time. */
export function fileReadCode(
  tables: readonly IngestedTable[],
  format: FileFormat,
  options: Readonly<Record<string, string>>,
): string {
  const { strategies, leavesOut } = featuresOf(tables);
  const chosen = Object.entries(options).filter(([name]) => filterOptions.includes(name.toLowerCase()));
  const listing = { recursiveFileLookup: "true", ...Object.fromEntries(chosen) };
  return [
    ...(format === "json" ? [jsonTypesCode(true)] : []),
    listCode(listing),
    exactCode,
    originCode(strategies.includes("upsert")),
    readers[format](leavesOut ? `.drop(*table["left_out"])` : ""),
  ].join("\n\n\n");
}

const listCode = (listing: object) =>
  `
def listed_files(table):
    """Every file's path, its name in the rows, and its time. No content is read."""
    files = spark.read.format("binaryFile").options(**${pythonValue(listing)})
    return files.load(table["source"]).select(
        "path",
        F.col("_metadata.file_path").alias("_source_file"),
        F.col("_metadata.file_modification_time").alias("_source_file_time"),
    )
`.trim();

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

/** A reader of several files uses the columns of one of them for all. */
const byColumns = (format: "csv" | "avro", drop: string) =>
  `
def columns_of(path):
${
  format === "csv"
    ? `    # Line by line: Spark cannot look for the columns of a multi-line file with brackets in its name.
    return spark.read.format("csv").options(**OPTIONS).option("multiLine", "false").load(path).schema`
    : `    return spark.read.format("avro").options(**OPTIONS).load(path).schema`
}


def source_rows(table, files):
    """Reads files with different columns separately: a reader uses the columns of one file for all."""
    groups = {}
    for path in (exact(file["path"]) for file in files):
        columns = columns_of(path)
        groups.setdefault(columns.json(), (columns, []))[1].append(path)
    reader = spark.read.format("${format}").options(**OPTIONS)
    parts = [with_origin(reader.schema(columns).load(paths)) for columns, paths in groups.values()]
    rows = functools.reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), parts)
    return ${format === "csv" ? `typed(table, rows${drop})` : `rows${drop}`}
`.trim();

const typedCode = `
def typed(table, rows):
    """Casts CSV text to the types of the target. Text that cannot be cast is an error."""
    if not spark.catalog.tableExists(table["target"]):
        return rows
    known = {field.name.lower(): field.dataType for field in spark.table(table["target"]).schema}
    columns = []
    for field in rows.schema:
        column, wanted = F.col(quoted(field.name)), known.get(field.name.lower())
        is_text = field.dataType.simpleString() == "string"
        columns.append(column.cast(wanted).alias(field.name) if is_text and wanted else column)
    return rows.select(*columns)
`.trim();

const readers: Readonly<Record<FileFormat, (drop: string) => string>> = {
  csv: (drop) => `${byColumns("csv", drop)}\n\n\n${typedCode}`,
  avro: (drop) => byColumns("avro", drop),
  parquet: (drop) =>
    `
def source_rows(table, files):
    reader = spark.read.format("parquet").options(**OPTIONS)
    return with_origin(reader.load([exact(file["path"]) for file in files]))${drop}
`.trim(),
  json: (drop) =>
    `
def source_rows(table, files):
    reader, paths = spark.read.format("json").options(**OPTIONS), [exact(file["path"]) for file in files]
    known = known_types(table)
    fields = [
        StructField(field.name, agreed_type(field.name, field.dataType, known.get(field.name.lower(), field.dataType)))
        for field in reader.load(paths).schema
    ]
    return with_origin(reader.schema(StructType(fields)).load(paths))${drop}
`.trim(),
};
