import { supersededCode } from "../connector/superseded-code.ts";
import { watermarkOrderCode } from "../connector/watermark-order-code.ts";
import { byStrategy, type CodeFeatures, ifWatermark, indented, lines } from "./code-layout.ts";

/** Python: whether the run sends rows. Requires `parameter()`. */
export const modeCode = `
# "send", or "dry_run": reads the rows, and writes nothing. The bundle's variable reverse_etl_mode sets it,
# so that a copy of the job for another target does not write to this environment's systems.
MODE = parameter("mode", "send")
if MODE not in ("send", "dry_run"):
    raise ValueError(f"mode is {MODE}; expected send or dry_run")
IS_DRY_RUN = MODE == "dry_run"
`.trim();

/** Python: `source_of()`, `position()` and `count_rows()`. */
export function sourceFunctions(features: CodeFeatures): string {
  const needed = {
    all: '[*table["keys"], table["watermark"]]',
    some: '[*table["keys"], *filter(None, [table["watermark"]])]',
    none: 'table["keys"]',
  }[features.watermark];
  return `
def source_of(table):
    """The table and its columns, renamed c0, c1 and so on: then any name is safe in an expression."""
    source = spark.table(table["source"])${features.leavesOut ? ".drop(*personal_columns(table))" : ""}
    columns = source.dtypes
    names = [name.lower() for name, _ in columns]
    missing = [name for name in ${needed} if name not in names]
    if missing:
        raise ValueError(f"{table['source']} has no column {', '.join(missing)}${features.leavesOut ? ", or it is personal data" : ""}.")
    return source.toDF(*(f"c{at}" for at in range(len(columns)))), columns


def position(columns, name):
    return [column.lower() for column, _ in columns].index(name)


def count_rows(table):
    """A dry run: checks the columns, and counts the rows."""
    source, columns = source_of(table)
    print(f"{table['target']}: dry run, {source.count()} rows with {len(columns)} columns, nothing sent")${features.watermark === "none" ? "" : `\n\n\n${watermarkOrderCode}`}${features.watermark === "none" || !isMerged(features) ? "" : `\n\n\n${refusedCode}`}${upserts(features) ? `\n\n\n${supersededCode}` : ""}`.trim();
}

const isMerged = ({ strategies }: CodeFeatures) => strategies.some((strategy) => strategy !== "replace");

const refusedCode = `
def new_or_refused(rows, names, refused, newer):
    """The rows of a usual run, and those that the target has refused before."""
    same = [F.col(name).eqNullSafe(F.col(f"refused_{at}")) for at, name in enumerate(names)]
    condition = functools.reduce(lambda one, other: one & other, same)
    rows = rows.join(refused.withColumn("was_refused", F.lit(True)), condition, "left")
    rows = rows.where(F.col("age").isNull() | newer | F.col("was_refused"))
    return rows.drop("was_refused", *(f"refused_{at}" for at in range(len(names))))`.trim();

/**
 * Python: the part of `pending()` that restricts `source` to new rows. Their watermark is between the saved one
 * (inclusive, because a late row can have the same value) and the bound, which is read first. `reached` is code that
 * sets `mark` if it is not yet known; `planned` is the bound of an earlier run that crashed. Every run reads rows
 * without a watermark; sending them again changes nothing.
 */
export const newRowsCode = (
  features: CodeFeatures,
  { reached = "", planned = "", hasWindows = false } = {},
): string => {
  const usual = lines(
    `
newer = watermark.isNotNull() if mark is None else watermark >= F.lit(mark).cast(its_type)
# The bound is read first: rows that are added during this run belong to the next one.
passable = can_be_passed(watermark, its_type)
greatest = F.max(F.when(passable, watermark)).cast("string")
newest, endless = source.where(newer).agg(greatest, F.count(F.when(~passable, 1))).first()
warn_of_endless(table, endless)
${
  planned
    ? `newest = ${planned}newest
`
    : ""
}bound = mark if newest is None else newest
# Rows that were refused can be older.
wanted = watermark.isNotNull() if RETRY_REJECTS else newer
dated = wanted & (~passable | (watermark <= F.lit(bound).cast(its_type)))`,
    byStrategy(features, {
      upsert: `
# A row without a watermark is sent only if no row with one has its key.
key_names = [f"c{position(columns, key)}" for key in table["keys"]]
undated, others = source.where(watermark.isNull()), source.where(watermark.isNotNull())
undated = undated.join(others, key_names, "left_anti").select(source.columns)
source = source.where(dated).union(undated)`,
      append: "source = source.where(dated | watermark.isNull())",
    }),
  );
  return lines(
    features.watermark === "some"
      ? 'bound, watermark, its_type = mark, F.lit(None).cast("string"), "string"'
      : "",
    ifWatermark(
      features,
      lines(
        `
name = f"c{position(columns, table['watermark'])}"
watermark = F.col(name)
its_type = require_ordered(table["watermark"], source.schema[name].dataType.simpleString())`,
        reached,
        hasWindows ? lines(`if WINDOW:\n${indented(insideCode)}`, `else:\n${indented(usual)}`) : usual,
      ),
    ),
  );
};

/** A window restricts `source` to rows that have no later state, and does not change the mark. */
const insideCode = lines(`
start, end = (F.lit(WINDOW[name]).cast(its_type) for name in ("from", "to"))
key_names = [f"c{position(columns, key)}" for key in table["keys"]]
later = source.where(watermark >= end)
if mark is not None:  # rows above the watermark are left to the next run
    source = source.where(watermark <= F.lit(mark).cast(its_type))
source = source.where((watermark >= start) & (watermark < end))
source, bound = source.join(later, key_names, "left_anti").select(source.columns), mark`);

/**
 * Python: the part of `pending()` that selects the `rows` to send. They have the text columns t0, t1 …, `row_key` (a
 * hash of the row), and `age` (the watermark) if tables have one.
 */
export const sentRowsCode = (features: CodeFeatures): string =>
  lines(
    upserts(features) && features.strategies.length > 1 ? "superseded = 0" : "",
    chosenRowsCode(features),
  );

/** Whether `pending()` also returns how many rows it left out because another row has the same key. */
export const upserts = ({ strategies }: CodeFeatures): boolean => strategies.includes("upsert");

const chosenRowsCode = (features: CodeFeatures): string =>
  byStrategy(features, {
    upsert: lines(
      `
keys = [f"t{position(columns, key)}" for key in table["keys"]]
no_key = F.concat(*keys).isNull()
same_key = Window.partitionBy(*keys, F.when(no_key, F.col("row_key")))`,
      retriedCode(features, "keys"),
      "found = rows.count()",
      ifWatermark(
        features,
        `
# Of several states of a row only the newest is sent.
newest_first = same_key.orderBy(F.col("age").desc_nulls_last())
rows = rows.withColumn("rank", F.rank().over(newest_first)).where("rank = 1")`,
      ),
      `
rows = rows.dropDuplicates(["row_key"])
superseded = found - rows.count()
rows = rows.withColumn("key_count", F.count("*").over(same_key))
several = F.when(F.col("key_count") > 1, "Several different rows have this key.")
rows = rows.withColumn("reason", F.when(no_key, "A key column is NULL.").otherwise(several))`,
    ),
    append: lines(
      `
# Equal rows are numbered, so that each can be recognized later.
copies = Window.partitionBy("row_key").orderBy("row_key")
rows = rows.withColumn("row_key", F.concat_ws("-", "row_key", F.row_number().over(copies)))`,
      retriedCode(features, '["row_key"]'),
      'rows = rows.withColumn("reason", F.lit(None).cast("string"))',
    ),
    replace: 'rows = rows.withColumn("reason", F.lit(None).cast("string"))',
  });

/** Python: leaves out rows that are neither new nor refused. */
const retriedCode = (features: CodeFeatures, names: string) =>
  ifWatermark(
    features,
    `
if RETRY_REJECTS and mark is not None:
    newer = F.col("age") >= F.lit(mark).cast(its_type)
    rows = new_or_refused(rows, ${names}, refused, newer)`,
  );
