import type { PipelineGraph, PipelineUpdate } from "@lakehelm/contract";
import type { UpdateSummary } from "../../data/pipelines.ts";
import { count } from "../../format/number.ts";

type Kind = PipelineGraph["tables"][number]["kind"];

export const kindText = (kind: Kind): string =>
  ({
    materialized_view: "materialized view",
    streaming_table: "streaming table",
    view: "view",
    statement: "statement",
  })[kind];

/** The short name of a table: `orders` for `main.default.orders`. */
export const shortName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

type Rows = Pick<
  PipelineUpdate["tables"][number],
  "rows_added" | "rows_updated" | "rows_removed" | "rows_dropped"
>;

/** `3 added, 1 dropped`; empty if nothing changed. */
export function rowsText({ rows_added, rows_updated, rows_removed, rows_dropped }: Rows): string {
  const parts = [
    [rows_added, "added"],
    [rows_updated, "changed"],
    [rows_removed, "removed"],
    [rows_dropped, "dropped"],
  ] as const;
  return parts
    .filter(([rows]) => rows > 0)
    .map(([rows, what]) => `${count(rows)} ${what}`)
    .join(", ");
}

/** The requested mode of an update. */
export function modeText(
  update: Pick<UpdateSummary, "full_refresh" | "validate_only"> & Partial<PipelineUpdate>,
): string {
  if (update.validate_only) return "validation";
  if (update.full_refresh) return "full refresh";
  const full = update.full_refresh_selection?.length ?? 0;
  if (full > 0) return `full refresh of ${full === 1 ? "1 table" : `${full} tables`}`;
  const some = update.refresh_selection?.length ?? 0;
  return some > 0 ? `${some === 1 ? "1 table" : `${some} tables`}` : "update";
}

export const isActive = ({ state }: Pick<UpdateSummary, "state">): boolean =>
  state === "QUEUED" || state === "RUNNING";
