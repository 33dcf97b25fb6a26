import { connectorRefreshCommand, connectorRereadCommand } from "@lakehelm/contract/changes";
import type { DefinedDataset, SourceDefinition } from "../connectors/source/definition.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { Dataset, TransferRequest } from "../protocol/transfer.ts";

type Request = Pick<TransferRequest, "connector" | "dataset" | "fromStart" | "window">;

/** What a run does if the source is defined differently than in the last run. */
export interface DefinitionDecision {
  readonly action: "keep" | "reload" | "refuse";
  readonly sentence: string;
}

/**
 * Rows may have changed without a greater watermark: all rows are read again if that is safe. If rows may be hidden
 * from the connector, the run stops: it would delete these rows, or never read them.
 */
export function decideDefinition(
  { connector, dataset, fromStart }: Request,
  defined: DefinedDataset | undefined,
  before: SourceDefinition | undefined,
  /** Null: all rows are read anyway. */
  reached: string | null,
): DefinitionDecision {
  const change = before && defined?.compare(before, dataset.watermark);
  if (!change || fromStart) return { action: "keep", sentence: "" };
  const { source, target } = dataset;
  const why = `${source} is not what the last run read: ${change.reason}.`;
  const reset = connectorRereadCommand(connector, target);
  const refresh = connectorRefreshCommand(connector, target);
  const visible = dataset.watermark === null ? "" : ` ${reset}`;
  if (change.hidden !== undefined) {
    const effect = removesRows(dataset)
      ? `Rows that are hidden would be removed from ${target}.`
      : "Rows that are hidden would not be read.";
    const accept = `To go on with the rows that it shows:${visible || ` ${refresh}`}`;
    const also = visible === "" ? "" : `\nTo also remove the others from ${target}: ${refresh}`;
    return { action: "refuse", sentence: `${why} ${effect} ${change.hidden} ${accept}${also}` };
  }
  if (reached === null) return { action: "keep", sentence: "" };
  if (dataset.strategy === "append") {
    return {
      action: "refuse",
      sentence: `${why} Rows may have changed without a greater watermark, and ${target} is only appended to. To add the rows that it lacks: ${reset}\nTo replace its rows by those of ${source}: ${refresh}`,
    };
  }
  return {
    action: "reload",
    sentence: `${why} All rows are read again, because they may have changed without a greater watermark. Rows that it no longer has ${dataset.deletes ? "are removed" : "stay"}.`,
  };
}

const removesRows = ({ deletes, strategy }: Dataset): boolean => deletes || strategy === "replace";

/** Whether the run reads all rows. Throws a DataProblem if it must not go on. */
export function judgeDefinition(
  request: Request,
  defined: DefinedDataset | undefined,
  before: SourceDefinition | undefined,
  reached: string | null,
  warn: (text: string) => void,
): boolean {
  if (before === undefined && defined?.notice !== undefined) warn(defined.notice);
  // A run of a window changes neither the watermark nor the recorded definition of the source.
  const { action, sentence } = decideDefinition(request, defined, before, request.window ? null : reached);
  if (action === "refuse") throw new DataProblem(`${sentence} Nothing was written.`);
  if (action === "reload") warn(sentence);
  return action === "reload";
}
