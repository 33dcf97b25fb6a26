import { pythonString, pythonValue } from "../../text/python.ts";
import type { TypeSettings } from "./column-types.ts";

/**
 * Types whose values convert without loss (no leading zero and no digit is lost), from the narrowest to the widest. The
 * embedded platform infers the same types.
 */
const shapes: readonly (readonly [string, string])[] = [
  ["boolean", "true|false|TRUE|FALSE|True|False"],
  ["bigint", String.raw`0|-?[1-9]\d{0,17}`],
  ["double", String.raw`-?(0|[1-9]\d{0,14})(\.\d{1,17})?([eE][+-]?\d{1,3})?`],
  ["date", String.raw`\d{4}-\d\d-\d\d`],
  ["timestamp", String.raw`\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?`],
];

/** Amounts become a DECIMAL, as on the embedded platform. */
const amount = String.raw`-?(0|[1-9]\d{0,19})\.\d{2,18}`;

/** Code that reads CSV files. It infers the columns once for each group of files that have the same columns. */
export function csvReadCode(
  options: Readonly<Record<string, string>>,
  { declared, inferred }: TypeSettings,
  drop: string,
): string {
  return [
    groupsCode(options),
    rowsCode(declared, drop),
    ...(inferred ? [inferredCode] : []),
    typedCode(inferred, declared),
  ].join("\n\n\n");
}

function groupsCode(options: Readonly<Record<string, string>>): string {
  const given = new Map(Object.entries(options).map(([name, value]) => [name.toLowerCase(), value]));
  const hasHeader = given.get("header")?.toLowerCase() === "true";
  const separator = given.get("sep") ?? given.get("delimiter") ?? ",";
  const comment = given.get("comment") ?? "";
  const encoding = given.get("encoding") ?? given.get("charset");
  const lineSeparator = given.get("linesep");
  const lineOptions = {
    ...(encoding !== undefined && { encoding }),
    ...(lineSeparator !== undefined && { lineSep: lineSeparator }),
  };
  const marks = [...new Set(`${separator}${given.get("quote") ?? '"'}`)].map((mark) =>
    mark.replace(/[\\\]^[-]/, "\\$&"),
  );
  const line = `F.min_by("value", "place")`;
  // Without a header the first line is data, so files whose first lines have equally many values have the same columns.
  const key = hasHeader ? line : `F.regexp_replace(${line}, ${pythonString(`[^${marks.join("")}]`)}, "")`;
  return `
def groups_of(files):
    """The files with the same columns, by their first lines. One job reads the first lines of all files."""
    paths = {file["_source_file"]: exact(file["path"]) for file in files}
    lines = spark.read.format("text").options(**${pythonValue(lineOptions)}).load(list(paths.values())).select(
        "value",
        F.col("_metadata.file_path").alias("file"),
        F.struct(F.col("_metadata.file_block_start"), F.monotonically_increasing_id()).alias("place"),
    )
    lines = lines.where(F.trim("value") != "")${comment ? `.where(~F.col("value").startswith(${pythonString(comment)}))` : ""}
    keys = lines.groupBy("file").agg(${key}.alias("key"))
    groups = keys.groupBy("key").agg(F.sort_array(F.collect_list("file")).alias("files")).orderBy("files")
    # Files without a line have no columns.
    return [[paths[name] for name in group["files"]] for group in groups.collect()] or [list(paths.values())]
`.trim();
}

const rowsCode = (declared: boolean, drop: string) =>
  `
def source_rows(table, files):
    """Reads files with different columns separately: a reader uses the columns of one file for all."""
    reader, parts = spark.read.format("csv").options(**OPTIONS), []
${declared ? declaredReadCode : ""}    for paths in groups_of(files):
        # Line by line: Spark cannot look for the columns of a multi-line file with brackets in its name.
        columns = reader.option("multiLine", "false").load(paths[0]).schema
${
  declared
    ? `        fields = [StructField(field.name, declared.get(field.name.lower(), field.dataType)) for field in columns]
        columns = StructType(fields)
`
    : ""
}        parts.append(with_origin(spark.read.format("csv").options(**OPTIONS).schema(columns).load(paths)))
    rows = functools.reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), parts)
    return typed(table, rows${drop})
`.trim();

const declaredReadCode = `    # The reader would round these types: they are read as text and cast later.
    rounded = ("decimal", "float", "double")
    declared = {name: wanted for name, wanted in declared_types(table).items() if wanted.typeName() not in rounded}
`;

const inferredCode = String.raw`
# Texts that become such a value without loss: a leading zero, for example, makes a text of a number.
SHAPES = {
${shapes.map(([type, shape]) => `    "${type}": r"^(${shape})$",`).join("\n")}
}
# Amounts have at least two digits after the point, and as many in all values.
AMOUNT = r"^${amount}$"


def inferred_types(rows, names):
    """The narrowest type of each column that all its values have. One job looks at all columns."""
    checks = []
    for name in map(quoted, names):
        text, digits = F.col(name), F.split(F.regexp_replace(F.col(name), "-", ""), r"\.")
        fits = [
            text.rlike(shape) & F.expr(f"try_cast({name} AS {wanted})").isNotNull()
            for wanted, shape in SHAPES.items()
        ]
        fits[list(SHAPES).index("double")] &= keeps_digits(name, "double")
        checks += [F.bool_and(F.when(text.isNotNull(), one)) for one in [*fits, text.rlike(AMOUNT)]]
        after = F.length(F.try_element_at(digits, F.lit(2)))
        checks += [F.max(F.length(digits[0])), F.min(after), F.max(after)]
    found, types = iter(rows.select(*checks).first() if checks else []), {}
    for name in names:
        fitting = [wanted for wanted in SHAPES if next(found)]
        is_amount, before, least, most = (next(found) for _ in range(4))
        if is_amount and least == most:
            fitting = [f"decimal({18 if before <= 9 and most <= 6 else 38},{most})"]
        types.update({name.lower(): wanted for wanted in fitting[:1]})
    return types
`.trim();

const typedCode = (inferred: boolean, declared: boolean) =>
  String.raw`
# The digits of any number that the type keeps.
FLOATS = {"float": 6, "double": 15}


def significant(text):
    """The digits of a number without sign, point and exponent, from the first to the last that is not zero."""
    return F.regexp_replace(F.regexp_replace(text, "[eE].*$|[^0-9]", ""), "^0+|0+$", "")


def keeps_digits(name, wanted):
    """Not of 1e400, which would be infinite, 1e-400, which would be 0, and 16777217 as a FLOAT, which rounds it."""
    text, value = F.col(name), F.expr(f"try_cast({name} AS {wanted})")
    digits, kept = significant(text), significant(value.cast("string"))
    same = F.expr(f"try_cast({name} AS double)") == value.cast("double")
    is_number = (kept != "") & ((F.length(digits) <= FLOATS[wanted]) | (same if wanted == "float" else F.lit(False)))
    return value.isNull() | (digits == "") | is_number | (digits == kept)


def exactly(name, wanted):
    """Spark rounds a number with more digits than its column has. Here it is an error."""
    text, wanted = F.col(quoted(name)), wanted if isinstance(wanted, str) else wanted.simpleString()
    digits = re.fullmatch(r"decimal\(\d+,(\d+)\)", wanted)
    if not digits and wanted not in FLOATS:
        return text.cast(wanted)
    fits = keeps_digits(quoted(name), wanted) if wanted in FLOATS else text.isNull() | text.rlike(rf"^[+-]?\d*(\.\d{{0,{digits[1]}}}0*)?$")
    wrong = F.concat(F.lit(f"the column {name} is {wanted} and would round "), text)
    return F.when(fits, text.cast(wanted)).otherwise(F.raise_error(wrong))


def typed(table, rows):
    """Casts CSV text to the types of the target${inferred ? ", and new columns to the types of their values" : ""}. Text that cannot be cast is an error."""
    known = {"_source_file": "string"}
    if spark.catalog.tableExists(table["target"]):
        known.update({field.name.lower(): field.dataType for field in spark.table(table["target"]).schema})
${declared ? "    known.update(declared_types(table))\n" : ""}    texts = [field.name for field in rows.schema if field.dataType.simpleString() == "string"]
${inferred ? `    known.update(inferred_types(rows, [name for name in texts if name.lower() not in known]))\n` : ""}    columns = []
    for name in rows.columns:
        column, wanted = F.col(quoted(name)), known.get(name.lower())
        columns.append(exactly(name, wanted).alias(name) if name in texts and wanted else column)
    return rows.select(*columns)
`.trim();
