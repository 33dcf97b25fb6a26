import { type CodeFeatures, indented, lines } from "../code-layout.ts";
import { newRowsCode, sentRowsCode, upserts } from "../source-code.ts";
import type { DatabaseDialect } from "./dialects/dialect.ts";

/** Python: the types of the target that can hold a value. */
export const typeFunctions = `
def types_for(spark_type):
    """The types that hold it exactly, the best one first. Text holds anything."""
    return TYPES.get(re.match(r"\\w+", spark_type)[0], ()) + TEXT


def digits_of(spark_type):
    return spark_type.removeprefix("decimal") if spark_type.startswith("decimal") else ""


def fits(spark_type, there):
    """Text fits into any type: the target refuses rows that it cannot convert."""
    scale, scale_there = (re.search(r",\\s*(\\d+)\\)", text) for text in (digits_of(spark_type), there))
    if scale and scale_there and int(scale[1]) > int(scale_there[1]):
        return False  # it would be rounded
    return spark_type.startswith("string") or re.sub(r"\\(.*?\\)", "", there) in types_for(spark_type)`;

/** Whether a run can send a window of a table. */
export const hasWindows = ({ strategies, watermark }: CodeFeatures): boolean =>
  strategies.includes("upsert") && watermark !== "none";

/** Python: `pending()`, the rows as text. */
export function pendingCode(features: CodeFeatures, { texts }: DatabaseDialect): string {
  const appends = features.strategies.includes("append");
  const hasWatermark = features.watermark !== "none";
  const mark = `${hasWatermark ? "saved" : "F.lit(None)"}.cast("string").alias("mark")`;
  const bound = hasWatermark ? "bound" : "mark";
  const reads = appends ? "reason, row_key, mark, values" : "reason, row_key, values";
  return lines(
    `
def as_text(column, spark_type):
    """A value as text that the target reads back exactly."""
    if spark_type == "binary":
        return ${texts.binary}`,
    texts.boolean ? `    if spark_type == "boolean":\n        return ${texts.boolean}` : "",
    `
    if spark_type.startswith(("array", "map", "struct", "variant")):
        options = {"ignoreNullFields": "false", "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"}
        return F.to_json(column, options)
    return column.cast("string")


def pending(table, source, columns, mark, refused):
    """The rows to send, their upper bound${upserts(features) ? ", and how many are superseded" : ""}. Each row: ${reads}."""`,
    indented(
      lines(
        newRowsCode(features, { hasWindows: hasWindows(features) }),
        `
texts = [as_text(F.col(f"c{at}"), spark_type) for at, (_, spark_type) in enumerate(columns)]
names = [f"t{at}" for at in range(len(columns))]
rows = source.select(*(text.alias(name) for text, name in zip(texts, names))${hasWatermark ? ', watermark.alias("age")' : ""})
# A hash of the row that does not depend on the order of columns. It is a separate step: together with the texts,
# Spark's optimizer would need time and memory that double with each column.
by_name = sorted((column.lower(), name) for (column, _), name in zip(columns, names))
content = F.to_json(F.struct(*(F.col(name).alias(column) for column, name in by_name)))
rows = rows.withColumn("row_key", F.sha2(content, 256))`,
        sentRowsCode(features),
        appends && hasWatermark ? 'saved = F.when(can_be_passed(F.col("age"), its_type), F.col("age"))' : "",
        `return rows.select("reason", "row_key", ${appends ? `${mark}, ` : ""}*names), ${bound}${upserts(features) ? ", superseded" : ""}`,
      ),
    ),
  );
}
