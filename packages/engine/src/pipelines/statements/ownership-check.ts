import type { PlainStatement } from "@lakehelm/sql/pipelines";
import type { TableName } from "../../warehouse/names.ts";
import { type DatasetOwner, ownedByPipeline } from "../../warehouse/ownership.ts";

/**
 * Why a statement may not change a table: a pipeline's tables are changed by its updates alone. What a pipeline does not make
 * any more, its own code may drop. Descriptions and tags belong to everybody.
 */
export function ownershipProblem(
  table: TableName,
  owner: DatasetOwner | undefined,
  verb: PlainStatement["meaning"]["verb"],
  pipeline: string,
): string | undefined {
  if (!owner || verb === "describe") return undefined;
  const isDrop = verb === "drop_table" || verb === "drop_view";
  if (!isDrop) return ownedByPipeline(table, owner);
  if (owner.pipeline === pipeline) return undefined;
  return `${ownedByPipeline(table, owner)} Its own code may drop it, once it makes it no more.`;
}
