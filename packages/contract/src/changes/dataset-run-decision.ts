import type { WriteStrategy } from "../connections/table-settings.ts";
import { hasName, listed, sameName, sameNames } from "./consequence.ts";

/** How a dataset writes its target. Each run records it, so that the next run can compare it with its own. */
export interface DatasetShape {
  /** Absent if an earlier version of the server recorded it. */
  readonly strategy?: WriteStrategy;
  readonly keys: readonly string[];
  readonly watermark: string | null;
  /** The target has the rows of its source and no others, so reading all of them again loses none. */
  readonly equalsSource?: boolean;
  /** The columns that the last run wrote; absent: not known. */
  readonly columns?: readonly string[];
  /** Columns that are not transferred. */
  readonly leftOut?: readonly string[];
}

/** What is known of the target. */
export interface DatasetTargetFacts {
  /** False: what was sent cannot be taken back, for example from an HTTP endpoint. */
  readonly isRefreshable?: boolean;
  /** For a target without a recorded run: some of its rows have no key, or share one. */
  readonly hasDuplicates?: boolean;
}

export interface DatasetRunDecision {
  readonly action: "keep" | "reload" | "rebuild" | "refuse";
  /** Why all rows must be read, or why none can be written. */
  readonly reasons: readonly string[];
  /** Columns of the target that are excluded from now on. */
  readonly drop: readonly string[];
}

/**
 * The one place that decides what a run does with a target that another version of its dataset wrote. If the key has
 * changed, a target that equals its source is rebuilt. A target that keeps rows which its source no longer has is
 * refused: that takes a full refresh.
 */
export function decideDatasetRun(
  /** The shape that the last run recorded; undefined: there was no run. */
  before: DatasetShape | undefined,
  after: DatasetShape,
  { isRefreshable = true, hasDuplicates = false }: DatasetTargetFacts = {},
): DatasetRunDecision {
  if (!before) {
    if (!hasDuplicates || after.strategy !== "upsert") return { action: "keep", reasons: [], drop: [] };
    const reasons = [`it has rows whose key ${listed(after.keys)} is missing or there more than once`];
    return { action: after.equalsSource ? "rebuild" : "refuse", reasons, drop: [] };
  }
  const drop = (before.columns ?? []).filter((name) => hasName(after.leftOut ?? [], name));
  const identity = changedKey(before, after);
  if (identity !== undefined && isRefreshable) {
    const isAllowed = before.equalsSource === true || after.equalsSource === true;
    return { action: isAllowed ? "rebuild" : "refuse", reasons: [identity], drop };
  }
  const reasons = [
    ...(sameName(before.watermark ?? "", after.watermark ?? "")
      ? []
      : [`the watermark is now ${after.watermark ?? "none"}`]),
    ...comingBack(before, after).map((name) => `${name} is no longer left out`),
  ];
  return { action: reasons.length > 0 ? "reload" : "keep", reasons, drop };
}

/** Rows that were written with another key, or without one, may have duplicates of the new key. */
function changedKey(before: DatasetShape, after: DatasetShape): string | undefined {
  if (after.strategy !== "upsert") return undefined;
  const isKeyed = before.strategy === undefined ? before.keys.length > 0 : before.strategy === "upsert";
  if (!isKeyed) return "its rows were written without a key, so a key may be there more than once";
  return sameNames(before.keys, after.keys)
    ? undefined
    : `its rows have the key ${listed(before.keys)} instead of ${listed(after.keys)}`;
}

const comingBack = ({ leftOut = [] }: DatasetShape, after: DatasetShape): string[] =>
  leftOut.filter((name) => !hasName(after.leftOut ?? [], name));
