import { byStrategy, type CodeFeatures, ifWatermark, lines } from "./code-layout.ts";

/** Python: `source_of()` and `position()`. */
export function sourceFunctions(features: CodeFeatures): string {
  const asked = {
    all: '[*table["keys"], table["watermark"]]',
    some: '[*table["keys"], *filter(None, [table["watermark"]])]',
    none: 'table["keys"]',
  }[features.watermark];
  return `
def source_of(table):
    """The table and its columns, renamed c0, c1 and so on: then any name is safe in an expression."""
    source = spark.table(table["source"])${features.leavesOut ? '.drop(*table["left_out"])' : ""}
    columns = source.dtypes
    names = [name.lower() for name, _ in columns]
    missing = [name for name in ${asked} if name not in names]
    if missing:
        raise ValueError(f"{table['source']} has no column {', '.join(missing)}.")
    return source.toDF(*(f"c{at}" for at in range(len(columns)))), columns


def position(columns, name):
    return [column.lower() for column, _ in columns].index(name)`.trim();
}

/**
 * Python: the part of `pending()` that restricts `source` to what is new. A row is read where its watermark lies between
 * the mark (included, since a row may arrive later with the very value of the mark) and the bound, which is taken
 * first. `reached` sets the mark where it is not known yet, `planned` is a bound that a run before this one has taken,
 * but did not get to. A row without a watermark cannot be placed,
 * so every run reads it; sending it again changes nothing.
 */
export const newRowsCode = (features: CodeFeatures, reached = "", planned = ""): string =>
  lines(
    features.watermark === "some" ? 'bound, watermark = mark, F.lit(None).cast("string")' : "",
    ifWatermark(
      features,
      lines(
        `
name = f"c{position(columns, table['watermark'])}"
watermark, its_type = F.col(name), source.schema[name].dataType`,
        reached,
        `
newer = watermark.isNotNull() if mark is None else watermark >= F.lit(mark).cast(its_type)
# The bound is taken first: what arrives while this run reads belongs to the next one.
newest = ${planned}source.where(newer).agg(F.max(watermark).cast("string")).first()[0]
bound = mark if newest is None else newest
dated = newer & (watermark <= F.lit(bound).cast(its_type))`,
        byStrategy(features, {
          upsert: `
# A row without a watermark counts only where no row with one has its key.
key_names = [f"c{position(columns, key)}" for key in table["keys"]]
undated = source.where(watermark.isNull())
undated = undated.join(source.where(watermark.isNotNull()), key_names, "left_anti").select(source.columns)
source = source.where(dated).union(undated)`,
          append: "source = source.where(dated | watermark.isNull())",
        }),
      ),
    ),
  );

/**
 * Python: the part of `pending()` that settles which of the `rows` are sent. They have the texts t0, t1 …, `row_key` (a
 * hash of the row), and `age` (the watermark) where tables have one.
 */
export const sentRowsCode = (features: CodeFeatures): string =>
  byStrategy(features, {
    upsert: lines(
      `
keys = [f"t{position(columns, key)}" for key in table["keys"]]
no_key = F.concat(*keys).isNull()
same_key = Window.partitionBy(*keys, F.when(no_key, F.col("row_key")))`,
      ifWatermark(
        features,
        `
# Of several states of a row only the newest is sent.
newest_first = same_key.orderBy(F.col("age").desc_nulls_last())
rows = rows.withColumn("rank", F.rank().over(newest_first)).where("rank = 1")`,
      ),
      `
rows = rows.dropDuplicates(["row_key"]).withColumn("twins", F.count("*").over(same_key))
several = F.when(F.col("twins") > 1, "Several different rows have this key.")
rows = rows.withColumn("reason", F.when(no_key, "A key column is NULL.").otherwise(several))`,
    ),
    append: `
# Equal rows are told apart by counting them, so that a row can be known again.
copies = Window.partitionBy("row_key").orderBy("row_key")
rows = rows.withColumn("row_key", F.concat_ws("-", "row_key", F.row_number().over(copies)))
rows = rows.withColumn("reason", F.lit(None).cast("string"))`,
    replace: 'rows = rows.withColumn("reason", F.lit(None).cast("string"))',
  });
