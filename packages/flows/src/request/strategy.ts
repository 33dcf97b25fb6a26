import { type ConsumptionFlowInput, type FlowStrategy, flowStrategyOf } from "@lakehelm/contract";
import type { FlowColumn, MissingKeys, PublishMode } from "../flow.ts";

/** How a run writes the table. */
interface Publishing {
  readonly strategy: FlowStrategy;
  readonly publishing: PublishMode;
  readonly missingKeys: MissingKeys | null;
}

/** The same default as for connectors. */
const defaultShare = 0.5;

export function readPublishing(request: ConsumptionFlowInput, problems: string[]): Publishing {
  const { scd_type: type, sequence_by: sequence, emit_surrogate_key: surrogate } = request;
  if (type !== undefined && type !== 1 && type !== 2)
    problems.push(`scd_type: ${type} is not known. Expected 1 (the latest row of a key) or 2 (its history).`);
  strategyProblem(request, problems);
  const strategy = flowStrategyOf(request);
  const hasKey = request.target_schema.columns.some(({ pk }) => pk);
  const needsKey = (field: string, what: string) =>
    problems.push(`${field}: ${what}, so a column of target_schema needs "pk": true.`);
  if (!hasKey && type === 2) needsKey("scd_type", "a history is kept by key");
  else if (!hasKey && strategy !== "replace")
    needsKey("write_strategy", `${strategy} finds the rows of the table by key`);
  if (!hasKey && surrogate) needsKey("emit_surrogate_key", "a surrogate key is a hash of the key");
  if (!hasKey && sequence !== undefined) needsKey("sequence_by", "it orders the rows of a key");
  return {
    strategy,
    publishing: modeOf(strategy, sequence),
    missingKeys: readMissingKeys(request, strategy, problems),
  };
}

function modeOf(strategy: FlowStrategy, sequence: string | undefined): PublishMode {
  if (strategy === "replace") return "replace";
  if (strategy === "history") return sequence === undefined ? "history by run" : "history";
  return "upsert";
}

function strategyProblem(
  { write_strategy: declared, scd_type: type }: ConsumptionFlowInput,
  problems: string[],
): void {
  if (declared === undefined) return;
  if (type === 2 && declared !== "history")
    problems.push(
      `write_strategy: ${declared} keeps no history, which scd_type 2 asks for. Expected history, or leave scd_type out.`,
    );
  if (type === 1 && declared === "history")
    problems.push(
      "write_strategy: history needs scd_type 2, and this flow has 1. Leave scd_type out, or set it to 2.",
    );
}

/** Reads `max_delete_share` and `close_missing_keys`, which only strategies that remove rows have. */
function readMissingKeys(
  { max_delete_share: share, close_missing_keys: close }: ConsumptionFlowInput,
  strategy: FlowStrategy,
  problems: string[],
): MissingKeys | null {
  if (close === true && strategy !== "history")
    problems.push(
      `close_missing_keys: it closes the versions of a history, and write_strategy is ${strategy}.`,
    );
  const removes = strategy === "merge_and_delete" || (strategy === "history" && close === true);
  if (share === undefined) return removes ? { maxShare: defaultShare } : null;
  if (!(share >= 0 && share <= 1)) {
    problems.push("max_delete_share: it must be a number from 0 to 1.");
    return null;
  }
  if (!removes) {
    problems.push(
      "max_delete_share: this flow has no rows to protect by it. It is for write_strategy merge_and_delete, and for close_missing_keys.",
    );
    return null;
  }
  return { maxShare: share };
}

/** The last version of a missing key ends at the time of the run, so its end must be a date or time. */
export const endProblem = ({ name, type }: FlowColumn): string | undefined =>
  ["DATE", "TIMESTAMP", "TIMESTAMP_NTZ"].includes(type.name)
    ? undefined
    : `a key that is missing has no ${name} that could end its version. Expected sequence_by of type DATE, TIMESTAMP or TIMESTAMP_NTZ, or no sequence_by.`;
