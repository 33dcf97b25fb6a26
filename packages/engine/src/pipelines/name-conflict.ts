import { fullName, type TableName } from "../warehouse/names.ts";
import type { DatasetOwnership } from "../warehouse/ownership.ts";

/** Explains why a pipeline cannot create a table or view: it never overwrites what others created. */
export function nameConflict(
  name: TableName,
  kind: "table" | "view",
  owner: DatasetOwnership | undefined,
): string {
  const [origin, advice] = owner
    ? [`belongs to the pipeline ${owner.pipeline}`, "choose another name"]
    : ["was not created by a pipeline", "choose another name, or drop it"];
  return `the ${kind} ${fullName(name)} already exists and ${origin}: ${advice}.`;
}
