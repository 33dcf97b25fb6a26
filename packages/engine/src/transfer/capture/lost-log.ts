import { connectorRefreshCommand } from "@lakehelm/contract/changes";
import type { LogState } from "../../connectors/source/change-log.ts";
import { isPosition, parsePosition } from "../../connectors/source/log-position.ts";
import { DataProblem } from "../../protocol/problem.ts";

/** A dataset that has been read up to a position of the log. */
interface ReadDataset {
  readonly source: string;
  readonly position: string;
}

/** Why changes of a dataset are missing in the log; undefined: none are. */
export function lossOf(state: LogState, datasets: readonly ReadDataset[]): string | undefined {
  const read = datasets.filter(({ position }) => isPosition(position));
  if (read.length === 0) return undefined;
  if (state.slot === "lost") return state.reason;
  const { confirmed } = state;
  const behind =
    state.slot === "ready" && confirmed !== undefined
      ? read.find(({ position }) => parsePosition(position) < confirmed)
      : undefined;
  return (
    behind &&
    `the log begins after the changes of ${behind.source} that the warehouse has: another program has read on in the replication slot, or it is a new one`
  );
}

export const lostLog = (connector: string, reason: string): DataProblem =>
  new DataProblem(
    `Changes are lost: ${reason}. Start a run with the parameter "full_refresh", which reads all rows and begins a new log: ${connectorRefreshCommand(connector)}`,
  );
