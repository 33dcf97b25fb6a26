import { connectorDeleteCommand } from "@lakehelm/contract/changes";
import { counted } from "@lakehelm/contract/text";
import { DataProblem } from "../protocol/problem.ts";
import type { Dataset } from "../protocol/transfer.ts";

/** In a smaller table, a few rows are already most of its rows. */
const leastRows = 10;

/**
 * Stops a run that would remove most rows of the target, because then the source has probably lost them. Small tables are not
 * checked unless the limit is 0.
 */
export function checkDeleteShare(
  {
    connector,
    dataset: { source, target, maxDeleteShare },
  }: {
    readonly connector: string;
    readonly dataset: Pick<Dataset, "source" | "target" | "maxDeleteShare">;
  },
  { existing, deleted }: { readonly existing: number; readonly deleted: number },
  /** If present, a warning instead of an error: for previews. */
  warn?: (text: string) => void,
): void {
  if (existing < leastRows && maxDeleteShare > 0) return;
  if (deleted <= existing * maxDeleteShare) return;
  const problem = `The run would delete ${deleted} of ${counted(existing, "row")} of ${target}, more than the ${Math.round(maxDeleteShare * 10_000) / 100} % that max_delete_share allows`;
  const advice = `Check whether ${source} has lost its rows. If they are meant to go: ${connectorDeleteCommand(connector, target)}`;
  if (warn) warn(`${problem}, so it would fail. ${advice}`);
  else throw new DataProblem(`${problem}. Nothing was written. ${advice}`);
}
