import { resetCode, windowCode } from "../connector/run-parameters.ts";
import { watermarkOrderCode } from "../connector/watermark-order-code.ts";
import type { CodeCell } from "../notebook.ts";
import { pythonString, pythonText } from "../text/python.ts";
import { featuresOf, type IngestedTable, type IngestionContext } from "./source-kind.ts";

/**
 * Code that reads and saves watermarks in the state table; empty if no table has a watermark. `ofSource` is the code of
 * two functions: `order_of`, the type by which the source orders the watermark, and `newest_mark`, the greatest
 * watermark as text.
 */
export function watermarkCode(
  tables: readonly IngestedTable[],
  { stateSql }: IngestionContext,
  ofSource: string,
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
  const code = `${readCode(stateSql, create)}\n\n\n${ofSource}\n\n\n${saveCode(save)}`;
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
    kind = order_of(rows, table["watermark"])
    column = F.col(quoted(table["watermark"])).cast(kind)
    return rows.where((column >= F.lit(mark).cast(kind)) | column.isNull())


${typeCode("type_of")}


${watermarkOrderCode}


def greatest_mark(rows, name):
    """The greatest watermark that a later row can exceed, as text, and the number of rows with another one."""
    kind = order_of(rows, name)
    column = F.col(quoted(name)).cast(kind)
    passable = can_be_passed(column, kind)
    greatest = F.max_by(F.col(quoted(name)).cast("string"), F.when(passable, column))
    return rows.agg(greatest, F.count(F.when(~passable, 1))).first()


${windowConditionCode}
`.trim();

/** Python: a function that returns the type of a column. Requires `quoted()`. */
const typeCode = (name: string) =>
  `
def ${name}(rows, column):
    return rows.select(quoted(column)).schema[0].dataType.simpleString()
`.trim();

/** Python: `window_condition()`. Requires `order_of()`, `quoted()` and WINDOW. */
const windowConditionCode = `
def window_condition(rows, table, mark):
    """SQL for the rows of the window. Rows above the watermark are left to the next run."""
    kind = order_of(rows, table["watermark"])
    column = f"CAST({quoted(table['watermark'])} AS {kind})"
    bounds = [(">=", WINDOW["from"]), ("<", WINDOW["to"]), *([("<=", mark)] if mark is not None else [])]
    texts = [(sign, value.replace("\\\\", "\\\\\\\\").replace("'", "\\\\'")) for sign, value in bounds]
    return " AND ".join(f"{column} {sign} CAST('{text}' AS {kind})" for sign, text in texts)
`.trim();

/**
 * Python: `window_condition()` for files. They have no saved watermark, so their rows are ordered by the type of their
 * own column.
 */
export const fileWindowCode: string = `${typeCode("order_of")}\n\n\n${windowConditionCode}`;

const saveCode = (save: string) =>
  `
def move_mark(table, mark):
    moved = spark.createDataFrame([(table["target"], mark)], "target string, mark string")
    moved.createOrReplaceTempView("moved_mark")
    spark.sql${pythonText(save).replaceAll("\n", "\n    ")}
`.trim();
