import { featuresOf, type IngestedTable } from "./source-kind.ts";

/** Functions that every kind of source writes with: quoting, the columns of the target, and MERGE if a strategy needs it. */
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


def fit_target(table, rows):
    """Creates the target, or adds the columns that are new.${typesAgreed ? "" : " A type that changed is an error."}"""
    session = rows.sparkSession  # in a stream, the rows have a session of their own
    fields = [StructField(field.name, field.dataType) for field in rows.schema]
    properties = {}
    if session.catalog.tableExists(table["target"]):
        target = session.table(table["target"]).schema
        known = {field.name.lower(): field.dataType.simpleString() for field in target}
${
  typesAgreed
    ? `        if all(known.get(field.name.lower()) == field.dataType.simpleString() for field in fields):
            return
`
    : `        for field in fields:
            was, now = known.get(field.name.lower()), field.dataType.simpleString()
            if was not in (None, now):
                raise TypeError(f"the column {field.name} is {was} in the target, and {now} in the source")
        if all(field.name.lower() in known for field in fields):
            return
`
}    elif any(set(field.name) & set(" ,;{}()\\n\\t=") for field in fields):
        # Delta allows such names only with column mapping.
        properties["delta.columnMapping.mode"] = "name"
    empty = session.createDataFrame([], StructType(fields)).write.format("delta").options(**properties)
    empty.mode("append").option("mergeSchema", "true").saveAsTable(table["target"])
`.trim();

const mergeCode = `
def merge(table, rows, condition, *clauses):
    """Runs one MERGE, which is one commit, and returns its row counts."""
    rows.createOrReplaceTempView("incoming_rows")
    head = f"MERGE INTO {table['target']} AS __target USING incoming_rows AS __source ON {condition}"
    return rows.sparkSession.sql(" ".join([head, *clauses])).first()


def insertion(columns):
    names = [quoted(name) for name in columns]
    values = [f"__source.{name}" for name in names]
    return f"THEN INSERT ({', '.join(names)}) VALUES ({', '.join(values)})"
`.trim();

/** The upsert of every kind of source. */
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
    keys = [quoted(key) for key in table["keys"]]
    place = F.row_number().over(Window.partitionBy(*keys).orderBy(*order))
    return rows.withColumn("__place", place).where("__place = 1").drop("__place")
`.trim();

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
    fit_target(table, rows)
    with_all_columns(table, rows).writeTo(table["target"]).overwrite(F.lit(True))
    return spark.table(table["target"]).count()
`.trim();

/** Code that writes rows to the target, for sources that are read as a table: by JDBC, or as the records of an API. */
export function writeCode(tables: readonly IngestedTable[], { ofRecords = false } = {}): string {
  const { strategies, watermarks } = featuresOf(tables);
  const writers = {
    append: [appendCode(watermarks)],
    upsert: [upsertingCode(false), upsertCode(watermarks, ofRecords)],
    replace: [replaceCode],
  };
  const completes = strategies.includes("replace") || (ofRecords && strategies.includes("upsert"));
  return [
    targetCode(strategies),
    ...(strategies.some((strategy) => strategy !== "replace") ? [newRowsCode(watermarks)] : []),
    ...(completes ? [allColumnsCode] : []),
    ...strategies.flatMap((strategy) => writers[strategy]),
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

const appendCode = (watermarks: boolean) =>
  `
def append(table, rows${watermarks ? ", mark" : ""}):
    fit_target(table, rows)
    rows = news(table, rows${watermarks ? ", mark" : ""})
    return merge(table, rows, "false", f"WHEN NOT MATCHED {insertion(rows.columns)}")
`.trim();

const upsertCode = (watermarks: boolean, ofRecords: boolean) =>
  `
def upsert(table, rows${watermarks ? ", mark" : ""}):
    """One row for each key: ${watermarks ? "the newest, where the source has several" : "the same one in every run, where the source has several"}."""
    fit_target(table, rows)
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
        order.insert(0, F.col(quoted(table["watermark"])).desc_nulls_last())
`
    : ""
}    # Only rows that differ are merged: a MERGE rewrites every file in which it finds a key.
    rows = news(table, first_of_each_key(table, rows, order)${watermarks ? ", mark" : ""})
    return upserting(table, rows, rows.columns)
`.trim();

function ingestCode(strategies: readonly string[], watermarks: boolean, ofRecords: boolean): string {
  const read = watermarks
    ? `    mark = mark_of(table) if table["watermark"] else None\n    rows = source_rows(table, mark)`
    : "    rows = source_rows(table)";
  const calls = {
    append: `done = append(table, rows${watermarks ? ", mark" : ""})`,
    upsert: `done = upsert(table, rows${watermarks ? ", mark" : ""})`,
    replace: `report = f"{replace(table, rows)} rows replaced the earlier ones"`,
  };
  const merged = `report = f"{done['num_inserted_rows']} inserted, {done['num_updated_rows']} updated"`;
  const newest = watermarks ? `    newest = newest_mark(table, rows) if table["watermark"] else None\n` : "";
  const saved = watermarks
    ? `    if newest not in (None, mark):\n        move_mark(table, newest)\n        report += f", mark {mark} -> {newest}"\n`
    : "";
  const [only] = strategies;
  const steps = (strategy: string) =>
    strategy === "replace" ? [calls.replace] : [strategy === "append" ? calls.append : calls.upsert, merged];
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
