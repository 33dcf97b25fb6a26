import { refreshCode } from "../connector/run-parameters.ts";
import { supersededCode } from "../connector/superseded-code.ts";
import { featuresOf, type IngestedTable } from "./source-kind.ts";

/**
 * Functions that write the rows of every kind of source: quoting, the columns of the target, and MERGE if a strategy
 * needs it.
 */
export const targetCode = (strategies: readonly string[], typesAgreed = false): string =>
  strategies.some((strategy) => strategy !== "replace")
    ? `${columnsCode(typesAgreed)}\n\n\n${mergeCode}`
    : columnsCode(typesAgreed);

const columnsCode = (typesAgreed: boolean) =>
  `
def quoted(name):
    if "\${" in name:
        raise ValueError(f"Spark would replace a part of the column name {name!r}")
    return "\`" + name.replace("\`", "\`\`") + "\`"


${typesAgreed ? "" : `${widenCode}\n\n\n`}def fit_target(table, rows):
    """Creates the target, or adds the columns that are new.${
      typesAgreed
        ? ""
        : ` A type that widened widens the column.
    Returns the columns that the target has with a wider type, in that type.`
    }"""
    session = rows.sparkSession  # in a stream, the rows have a session of their own
    fields = [StructField(field.name, field.dataType) for field in rows.schema]
    properties, cast = {}, {}
    if session.catalog.tableExists(table["target"]):
        target = session.table(table["target"]).schema
        known = {field.name.lower(): field.dataType.simpleString() for field in target}
${
  typesAgreed
    ? `        if all(known.get(field.name.lower()) == field.dataType.simpleString() for field in fields):
            return cast
`
    : `        for field in fields:
            was, now = known.get(field.name.lower()), field.dataType.simpleString()
            if was is not None and holds(was, now):
                cast[field.name] = F.col(quoted(field.name)).cast(was)
            elif was not in (None, now):
                widen(session, table["target"], field.name, was, now)
        if all(field.name.lower() in known for field in fields):
            return cast
        fields = [field for field in fields if field.name not in cast]
`
}    elif any(set(field.name) & set(" ,;{}()\\n\\t=") for field in fields):
        # Delta allows such names only with column mapping.
        properties["delta.columnMapping.mode"] = "name"
    empty = session.createDataFrame([], StructType(fields)).write.format("delta").options(**properties)
    empty.mode("append").option("mergeSchema", "true").saveAsTable(table["target"])
    return cast
`.trim();

/** Python: `holds()`. Requires `re`. */
export const holdsCode: string = `
DIGITS = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}


def holds(kind, other):
    """Whether a wider type has all values of another one."""
    if (kind, other) in (("double", "float"), ("timestamp_ntz", "date")):
        return True
    if kind in DIGITS:
        return DIGITS.get(other, 20) < DIGITS[kind]
    if kind == "double":
        return other in ("tinyint", "smallint", "int")
    places = [re.fullmatch(r"decimal\\((\\d+),(\\d+)\\)", one) for one in (kind, other)]
    if not places[0] or kind == other:
        return False
    size, scale = map(int, places[0].groups())
    digits, after = map(int, places[1].groups()) if places[1] else (DIGITS.get(other, 39), 0)
    return after <= scale and digits - after <= size - scale
`.trim();

/** Widens columns. Delta decides whether a type can be widened. */
const widenCode = `
${holdsCode}


def widen(session, target, name, was, now):
    """Gives a column a type that holds its values. Any other change of a type is an error."""
    try:
        session.sql(f"ALTER TABLE {target} SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')")
        session.sql(f"ALTER TABLE {target} ALTER COLUMN {quoted(name)} TYPE {now}")
    except Exception as error:
        change = f"the column {name} is {was} in the target, and {now} in the source, which may not hold its values"
        advice = f"To read all rows again: DROP TABLE {target}, then run the job with reset_watermark"
        raise TypeError(f"{change}. {advice}") from error
    print(f"widened the column {name} of {target} from {was} to {now}")
`.trim();

const mergeCode = `
def merge(table, rows, condition, *clauses):
    """Runs one MERGE, which is one commit, and returns its row counts."""
    rows.createOrReplaceTempView("incoming_rows")
    head = f"MERGE INTO {table['target']} AS __target USING incoming_rows AS __source ON {condition}"
    return rows.sparkSession.sql(" ".join([head, *clauses])).first().asDict()


def insertion(columns):
    names = [quoted(name) for name in columns]
    values = [f"__source.{name}" for name in names]
    return f"THEN INSERT ({', '.join(names)}) VALUES ({', '.join(values)})"
`.trim();

/** The upsert for every kind of source. */
export const upsertingCode = (conditional: boolean): string =>
  `
def upserting(table, rows, columns${conditional ? ", condition" : ""}):
    """Replaces rows with the same keys, and adds the others."""
    keys = [quoted(key) for key in table["keys"]]
    same_keys = " AND ".join(f"__target.{key} <=> __source.{key}" for key in keys)
    values = ", ".join(f"{name} = __source.{name}" for name in map(quoted, columns))
    update = f"WHEN MATCHED ${conditional ? "AND {condition} " : ""}THEN UPDATE SET {values}"
    return merge(table, rows, same_keys, update, f"WHEN NOT MATCHED {insertion(columns)}")


def first_of_each_key(table, rows, order):
    """One row for each key, and the number of rows that it supersedes."""
    keys = [quoted(key) for key in table["keys"]]
    superseded = rows.agg(F.count(F.lit(1)) - F.count_distinct(F.struct(*keys))).first()[0]
    place = F.row_number().over(Window.partitionBy(*keys).orderBy(*order))
    return rows.withColumn("__place", place).where("__place = 1").drop("__place"), superseded


${supersededCode}
`.trim();

export const upsertCountsCode = `
def counts_of(done):
    counts = f"{done['num_inserted_rows']} inserted, {done['num_updated_rows']} updated"
    return counts + superseded_words(done.get("num_superseded_rows"))
`.trim();

/** Python: the counts of `done`. Only an upsert leaves out rows. */
export const countsCode = (upserts: boolean): string =>
  upserts ? "counts_of(done)" : `f"{done['num_inserted_rows']} inserted, {done['num_updated_rows']} updated"`;

export const allColumnsCode = `
def with_all_columns(table, rows):
    """Columns that the source does not have are null."""
    given = [name.lower() for name in rows.columns]
    target = rows.sparkSession.table(table["target"]).schema
    missing = [field for field in target if field.name.lower() not in given]
    return rows.select("*", *[F.lit(None).cast(field.dataType).alias(field.name) for field in missing])
`.trim();

/** Replaces all rows of the target. */
export const replaceCode = `
def replace(table, rows):
    """Readers see the old rows until the commit, and all new ones after it."""
    rows = rows.withColumns(fit_target(table, rows))
    with_all_columns(table, rows).writeTo(table["target"]).overwrite(F.lit(True))
    return spark.table(table["target"]).count()
`.trim();

/** Code that writes rows to the target, for sources that are read as a table: by JDBC, or as records of an API. */
export function writeCode(tables: readonly IngestedTable[], { ofRecords = false } = {}): string {
  const { strategies, watermarks } = featuresOf(tables);
  const writers = {
    append: [differenceCode(watermarks), appendCode(watermarks)],
    upsert: [upsertingCode(false), upsertCountsCode, refreshingCode, upsertCode(watermarks, ofRecords)],
    replace: [replaceCode],
  };
  const completes = strategies.some((strategy) => strategy !== "upsert") || ofRecords;
  const isMerged = strategies.some((strategy) => strategy !== "replace");
  return [
    ...(isMerged || watermarks
      ? [`# A full refresh makes the target equal to the source.\n${refreshCode}`]
      : []),
    targetCode(strategies),
    ...(isMerged ? [newRowsCode(watermarks), deletesCode] : []),
    ...(completes ? [allColumnsCode] : []),
    ...strategies.flatMap((strategy) => writers[strategy]),
    ...(watermarks ? [backfillCode(strategies)] : []),
    ingestCode(strategies, watermarks, ofRecords),
  ].join("\n\n\n");
}

const newRowsCode = (watermarks: boolean) =>
  `
def news(table, rows${watermarks ? ", mark" : ""}):
    """The rows that the target does not have. Equal rows are counted: of three, two of them known, one is left."""
    known = ${watermarks ? `since(spark.table(table["target"]), table, mark)` : `spark.table(table["target"])`}
    return rows.exceptAll(known.select(*[quoted(name) for name in rows.columns]))
`.trim();

export const deletesCode = `
def check_deletes(gone, existing):
    """A source that has lost most of its rows must not empty the target."""
    gone, existing = gone.count(), existing.count()
    if gone * 2 > existing:
        raise ValueError(f"it would delete {gone} of {existing} rows, more than half. Nothing was written")
    return gone
`.trim();

/** A full refresh of a table with keys. */
const refreshingCode = `
def refreshing(table, rows):
    """Makes the target equal to the source in one commit: rows that the source no longer has are deleted."""
    keys, names = [quoted(key) for key in table["keys"]], [quoted(name) for name in rows.columns]
    existing = spark.table(table["target"]).select(*keys)
    check_deletes(existing.exceptAll(rows.select(*keys)), existing)
    same_keys = " AND ".join(f"__target.{key} <=> __source.{key}" for key in keys)
    differs = " OR ".join(f"NOT (__target.{name} <=> __source.{name})" for name in names)
    values = ", ".join(f"{name} = __source.{name}" for name in names)
    update = f"WHEN MATCHED AND ({differs}) THEN UPDATE SET {values}"
    delete = "WHEN NOT MATCHED BY SOURCE THEN DELETE"
    return merge(table, rows, same_keys, update, f"WHEN NOT MATCHED {insertion(rows.columns)}", delete)
`.trim();

/** A full refresh or a window of a table without keys. */
const differenceCode = (watermarks: boolean) =>
  `
def replace_differing(table, rows, condition):
    """Replaces the rows of the target that meet a condition${watermarks ? ", all or those of a window" : ""}, in one commit, if they differ."""
    names = [quoted(name) for name in rows.columns]
    existing = spark.table(table["target"]).where(condition).select(*names)
    gone = check_deletes(existing.exceptAll(rows), existing)
    added = rows.exceptAll(existing).count()
    if gone or added:
        writer = with_all_columns(table, rows).write.format("delta").mode("overwrite")
        writer.option("replaceWhere", condition).saveAsTable(table["target"])
    return {"num_inserted_rows": added, "num_updated_rows": 0, "num_deleted_rows": gone}
`.trim();

/** One run over a window. */
function backfillCode(strategies: readonly string[]): string {
  const writers = strategies.flatMap((strategy) => {
    if (strategy === "upsert") return [[strategy, `done = upsert(table, rows, WINDOW["from"])`]];
    if (strategy !== "append") return [[strategy, `raise ValueError("every run replaces all of its rows")`]];
    return [
      [
        strategy,
        "rows = rows.withColumns(fit_target(table, rows))",
        "done = replace_differing(table, rows, condition)",
      ],
    ];
  });
  const write =
    writers.length === 1
      ? (writers[0] ?? []).slice(1).map((line) => `    ${line}`)
      : writers.flatMap(([strategy, ...lines], at) => [
          `    ${at === 0 ? "if" : "elif"} table["strategy"] == "${strategy}":`,
          ...lines.map((line) => `        ${line}`),
        ]);
  return `
def backfill(table, mark):
    """Loads the rows of a window again, and leaves the watermark as it is."""
    if not table["watermark"]:
        raise ValueError("it has no watermark, so it has no windows")
    rows = source_rows(table, WINDOW["from"])
    condition = window_condition(rows, table, mark)
    rows = rows.where(condition)
${write.join("\n")}
    return ${countsCode(strategies.includes("upsert"))} + ", of a window"
`.trim();
}

const appendCode = (watermarks: boolean) =>
  `
def append(table, rows${watermarks ? ", mark" : ""}):
    rows = rows.withColumns(fit_target(table, rows))
    if FULL_REFRESH:
        return replace_differing(table, rows, "true")
    rows = news(table, rows${watermarks ? ", mark" : ""})
    return merge(table, rows, "false", f"WHEN NOT MATCHED {insertion(rows.columns)}")
`.trim();

const upsertCode = (watermarks: boolean, ofRecords: boolean) =>
  `
def upsert(table, rows${watermarks ? ", mark" : ""}):
    """One row for each key: ${watermarks ? "the newest, where the source has several" : "the same one in every run, where the source has several"}."""
    rows = rows.withColumns(fit_target(table, rows))
${
  ofRecords
    ? `    # Columns that a record does not have are null.
    rows = with_all_columns(table, rows)
`
    : ""
}    order = [F.col(quoted(name)) for name in rows.columns]
${
  watermarks
    ? `    if table["watermark"]:
        column = F.col(quoted(table["watermark"]))
        order.insert(0, column.cast(order_of(rows, table["watermark"])).desc_nulls_last())
`
    : ""
}    rows, superseded = first_of_each_key(table, rows, order)
    if FULL_REFRESH:
        done = refreshing(table, rows)
    else:
        # Only rows that differ are merged: a MERGE rewrites every file in which it finds a key.
        rows = news(table, rows${watermarks ? ", mark" : ""})
        done = upserting(table, rows, rows.columns)
    return {**done, "num_superseded_rows": superseded}
`.trim();

function ingestCode(strategies: readonly string[], watermarks: boolean, ofRecords: boolean): string {
  const read = watermarks
    ? `    mark = mark_of(table) if table["watermark"] else None\n    if WINDOW:\n        return backfill(table, mark)\n    rows = source_rows(table, mark)`
    : "    rows = source_rows(table)";
  const calls = {
    append: `done = append(table, rows${watermarks ? ", mark" : ""})`,
    upsert: `done = upsert(table, rows${watermarks ? ", mark" : ""})`,
    replace: `report = f"{replace(table, rows)} rows replaced the earlier ones"`,
  };
  const merged = (upserts: boolean) => [
    `report = ${countsCode(upserts)}`,
    "if FULL_REFRESH:",
    `    report += f", {done['num_deleted_rows']} deleted"`,
  ];
  const newest = watermarks ? `    newest = newest_mark(table, rows) if table["watermark"] else None\n` : "";
  const saved = watermarks
    ? `    if newest not in (None, mark):\n        move_mark(table, newest)\n        report += f", mark {mark} -> {newest}"\n`
    : "";
  const [only] = strategies;
  const steps = (strategy: string) =>
    strategy === "replace"
      ? [calls.replace]
      : [strategy === "append" ? calls.append : calls.upsert, ...merged(strategy === "upsert")];
  const write =
    strategies.length === 1 && only
      ? steps(only).map((line) => `    ${line}`)
      : strategies.flatMap((strategy, at) => [
          `    ${at === 0 ? "if" : "elif"} table["strategy"] == "${strategy}":`,
          ...steps(strategy).map((line) => `        ${line}`),
        ]);
  const nothing = ofRecords ? `    if not rows.columns:\n        return "there are no records yet"\n` : "";
  return `def ingest(table):\n${read}\n${nothing}${newest}${write.join("\n")}\n${saved}    return report`;
}
