import type { PlainStatement } from "@lakehelm/sql/pipelines";
import type { TableName } from "../../warehouse/names.ts";
import { type DatasetOwnership, ownedByPipeline } from "../../warehouse/ownership.ts";

/**
 * Explains why a statement may not change a table: only updates of a pipeline change its tables. The pipeline's own code
 * may drop a table that it no longer defines. Comments and tags may be changed by everyone.
 */
export function ownershipProblem(
  table: TableName,
  owner: DatasetOwnership | undefined,
  verb: PlainStatement["meaning"]["verb"],
  pipeline: string,
): string | undefined {
  if (!owner || verb === "describe") return undefined;
  const isDrop = verb === "drop_table" || verb === "drop_view";
  if (!isDrop) return ownedByPipeline(table, owner);
  if (owner.pipeline === pipeline) return undefined;
  return `${ownedByPipeline(table, owner)} Its own code may drop it once it no longer defines it.`;
}
