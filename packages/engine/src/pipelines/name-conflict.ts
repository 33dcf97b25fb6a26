import { fullName, type TableName } from "../warehouse/names.ts";
import type { DatasetOwner } from "../warehouse/ownership.ts";

/** Why a pipeline must not make a table or view that is there: what somebody else has made is never overwritten. */
export function nameConflict(
  name: TableName,
  kind: "table" | "view",
  owner: DatasetOwner | undefined,
): string {
  const [whose, instead] = owner
    ? [`the pipeline ${owner.pipeline} keeps it`, "choose another name"]
    : ["no pipeline made it", "choose another name, or drop it"];
  return `there is a ${kind} ${fullName(name)} already, and ${whose}: ${instead}.`;
}
