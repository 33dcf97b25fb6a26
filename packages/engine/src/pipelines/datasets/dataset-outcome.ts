import type { TableChange } from "../../warehouse/warehouse.ts";
import type { ExpectationResults } from "./expectations.ts";

/** What an update did to one dataset. */
export interface DatasetOutcome extends ExpectationResults {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  /** Null if the dataset did not change. */
  readonly change: TableChange | null;
  /** The definition of a view. */
  readonly definition?: string;
}

export const unchanged: DatasetOutcome = {
  added: 0,
  updated: 0,
  removed: 0,
  change: null,
  expectations: [],
  dropped: 0,
};

/** Combines the outcomes of several flows into one table. */
export function combineOutcomes(one: DatasetOutcome, other: DatasetOutcome): DatasetOutcome {
  const changes = [one.change, other.change];
  return {
    added: one.added + other.added,
    updated: one.updated + other.updated,
    removed: one.removed + other.removed,
    change:
      (["recreated", "rewritten"] as const).find((change) => changes.includes(change)) ??
      one.change ??
      other.change,
    dropped: one.dropped + other.dropped,
    expectations: merged(one.expectations, other.expectations),
  };
}

function merged(
  one: ExpectationResults["expectations"],
  other: ExpectationResults["expectations"],
): ExpectationResults["expectations"] {
  if (one.length === 0) return other;
  return one.map((expectation, at) => ({
    ...expectation,
    passed: expectation.passed + (other[at]?.passed ?? 0),
    failed: expectation.failed + (other[at]?.failed ?? 0),
  }));
}
