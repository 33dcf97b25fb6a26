import { resetCode, windowCode } from "../connector/run-parameters.ts";
import type { CodeCell } from "../notebook.ts";
import { pythonString, pythonText } from "../text/python.ts";
import { featuresOf, type IngestedTable, type IngestionContext } from "./source-kind.ts";

/**
 * Code that reads and saves watermarks in the state table; empty if no table has a watermark. `newestWatermark` is the code
 * of the source's function `newest_mark`, which returns the greatest watermark as text.
 */
export function watermarkCode(
  tables: readonly IngestedTable[],
  { stateSql }: IngestionContext,
  newestWatermark: string,
): { readonly cells: readonly CodeCell[]; readonly statements: readonly string[] } {
  if (!featuresOf(tables).watermarks) return { cells: [], statements: [] };
  const create = [
    `CREATE TABLE IF NOT EXISTS ${stateSql}`,
    "(target STRING, mark STRING, updated_at TIMESTAMP) USING DELTA",
  ].join("\n");
  const save = [
    `MERGE INTO ${stateSql} AS state USING moved_mark AS moved ON state.target = moved.target`,
    "WHEN MATCHED THEN UPDATE SET mark = moved.mark, updated_at = current_timestamp()",
    "WHEN NOT MATCHED THEN INSERT (target, mark, updated_at)",
    "VALUES (moved.target, moved.mark, current_timestamp())",
  ].join("\n");
  const code = `${readCode(stateSql, create)}\n\n\n${newestWatermark}\n\n\n${saveCode(save)}`;
  return { cells: [{ title: "Watermarks", code }], statements: [create, save] };
}

const readCode = (stateSql: string, create: string) =>
  `
# The greatest watermark that was read for each target, as text, so that it is exact. A run writes the
# rows first and saves the watermark then. After a crash in between, the next run reads the same rows
# again, and finds them in the target.
STATE = ${pythonString(stateSql)}
spark.sql${pythonText(create)}
# Rows that the target has already are found in it, so reading them again changes nothing.
${resetCode}
${windowCode}


def mark_of(table):
    if RESET_WATERMARK or FULL_REFRESH:
        return None
    row = spark.table(STATE).where(F.col("target") == table["target"]).first()
    return row["mark"] if row else None


def since(rows, table, mark):
    """The rows from the watermark on. Rows at the watermark can be late; rows without one are always read."""
    if mark is None:
        return rows
    column = F.col(quoted(table["watermark"]))
    return rows.where((column >= F.lit(mark).cast(type_of(rows, table["watermark"]))) | column.isNull())


${windowConditionCode}
`.trim();

/** Python: `type_of()` and `window_condition()`. They need `quoted()` and WINDOW. */
export const windowConditionCode: string = `
def type_of(rows, column):
    return rows.select(quoted(column)).schema[0].dataType


def window_condition(rows, table, mark):
    """SQL for the rows of the window. Rows above the watermark are left to the next run."""
    column, kind = quoted(table["watermark"]), type_of(rows, table["watermark"]).simpleString()
    bounds = [(">=", WINDOW["from"]), ("<", WINDOW["to"]), *([("<=", mark)] if mark is not None else [])]
    texts = [(sign, value.replace("\\\\", "\\\\\\\\").replace("'", "\\\\'")) for sign, value in bounds]
    return " AND ".join(f"{column} {sign} CAST('{text}' AS {kind})" for sign, text in texts)
`.trim();

const saveCode = (save: string) =>
  `
def move_mark(table, mark):
    moved = spark.createDataFrame([(table["target"], mark)], "target string, mark string")
    moved.createOrReplaceTempView("moved_mark")
    spark.sql${pythonText(save).replaceAll("\n", "\n    ")}
`.trim();
