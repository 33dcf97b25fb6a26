import type { RecordedSchemaChange } from "../protocol/transfer.ts";
import { databricksType } from "../protocol/types.ts";
import { sameName } from "../warehouse/relation.ts";
import type { IngestRun } from "./ingest-run.ts";

/**
 * The differences that a run found in the columns of its source, for its metrics. A table that the run creates has no
 * other changes.
 */
export function recordedChanges({
  schemaChange: { create, add, retype },
  settings: { missingColumns, newColumns, returnedColumns },
  columns,
  fill,
}: Pick<IngestRun, "schemaChange" | "settings" | "columns" | "fill">): RecordedSchemaChange[] {
  if (create) return [{ change: "table_created" }];
  const isAdded = (name: string) => add.some((one) => sameName(one.name, name));
  // The run of a window has already reported the added column. Only the backfill of the column is new.
  const others = fill === "backfilled" ? newColumns : returnedColumns;
  const returned = others.filter((name) => !isAdded(name));
  const [added] = add;
  const isRenamed = missingColumns.length === 1 && add.length === 1;
  return [
    ...missingColumns.map((column) => ({
      change: "column_missing" as const,
      column,
      ...(isRenamed && added && { renamed_to: added.name }),
    })),
    ...add.map(({ name, type }) => ({
      change: "column_added" as const,
      column: name,
      type: databricksType(type),
      existing_rows: fill,
    })),
    ...columns
      .filter(({ name }) => returned.some((one) => sameName(one, name)))
      .map(({ name, type }) => ({
        change: "column_added" as const,
        column: name,
        type: databricksType(type),
        // Otherwise existing rows have the values from before the column was removed.
        ...(fill === "backfilled" && { existing_rows: fill }),
      })),
    ...retype.map(({ name, from, to, isWider }) => ({
      change: isWider ? ("column_widened" as const) : ("column_retyped" as const),
      column: name,
      type: databricksType(to),
      from_type: databricksType(from),
    })),
  ];
}
