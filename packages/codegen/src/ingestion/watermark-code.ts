import type { CodeCell } from "../notebook.ts";
import { pythonString, pythonText } from "../text/python.ts";
import { featuresOf, type IngestedTable, type IngestionContext } from "./source-kind.ts";

/**
 * The state table and what moves in it; nothing, where no table has a watermark. `newestMark` is the source's function
 * of that name: how far the rows reach, as text.
 */
export function watermarkCode(
  tables: readonly IngestedTable[],
  { stateSql }: IngestionContext,
  newestMark: string,
): { readonly cells: readonly CodeCell[]; readonly statements: readonly string[] } {
  if (!featuresOf(tables).marks) return { cells: [], statements: [] };
  const create = [
    `CREATE TABLE IF NOT EXISTS ${stateSql}`,
    "(target STRING, mark STRING, updated_at TIMESTAMP) USING DELTA",
  ].join("\n");
  const move = [
    `MERGE INTO ${stateSql} AS state USING moved_mark AS moved ON state.target = moved.target`,
    "WHEN MATCHED THEN UPDATE SET mark = moved.mark, updated_at = current_timestamp()",
    "WHEN NOT MATCHED THEN INSERT (target, mark, updated_at)",
    "VALUES (moved.target, moved.mark, current_timestamp())",
  ].join("\n");
  const code = `${markCode(stateSql, create)}\n\n\n${newestMark}\n\n\n${moveCode(move)}`;
  return { cells: [{ title: "Marks", code }], statements: [create, move] };
}

const markCode = (stateSql: string, create: string) =>
  `
# How far each target has come: the greatest watermark that was read, as text, exact to the last
# digit. A run writes first and moves the mark then. Killed in between, the next run reads the
# same rows again, and finds them in the target.
STATE = ${pythonString(stateSql)}
spark.sql${pythonText(create)}


def mark_of(table):
    row = spark.table(STATE).where(F.col("target") == table["target"]).first()
    return row["mark"] if row else None


def type_of(rows, column):
    return rows.select(quoted(column)).schema[0].dataType


def since(rows, table, mark):
    """The rows from the mark on. Rows at the mark may have come late; those without one are always read."""
    if mark is None:
        return rows
    column = F.col(quoted(table["watermark"]))
    return rows.where((column >= F.lit(mark).cast(type_of(rows, table["watermark"]))) | column.isNull())
`.trim();

const moveCode = (move: string) =>
  `
def move_mark(table, mark):
    moved = spark.createDataFrame([(table["target"], mark)], "target string, mark string")
    moved.createOrReplaceTempView("moved_mark")
    spark.sql${pythonText(move).replaceAll("\n", "\n    ")}
`.trim();
