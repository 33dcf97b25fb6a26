import { hasName, listed, sameName, sameNames, without } from "./consequence.ts";
import { equalsSelect, type FlowShape, isHistoryTable, namesOf } from "./flow-shape.ts";

/** What is known of the table that a flow writes. */
export interface FlowTargetFacts {
  /** The names of its columns; null: there is no table; absent: not known. */
  readonly columns?: readonly string[] | null;
  /** The columns whose type differs from the flow's, each as a clause; absent: declared types are compared. */
  readonly differing?: readonly string[];
  /** Absent: not known, which counts as false. */
  readonly isEmpty?: boolean;
}

export interface FlowRunOptions {
  readonly fullRefresh?: boolean;
  readonly discardHistory?: boolean;
  /** The run is for one business date. */
  readonly isPartial?: boolean;
}

/** What a run does with the table before it publishes rows. */
export interface FlowRunDecision {
  readonly action: "create" | "keep" | "rebuild" | "refuse";
  readonly drop: readonly string[];
  readonly add: readonly string[];
  /** Why the table cannot stay as it is. */
  readonly reasons: readonly string[];
  /** A rebuild loses versions of rows. */
  readonly losesHistory: boolean;
  /** A rebuild may lose rows that the SELECT no longer returns. */
  readonly losesRows: boolean;
}

const nothing = { drop: [], add: [], reasons: [], losesHistory: false, losesRows: false };

/**
 * The one place that decides what a version of a flow does with a table that an earlier version wrote. A table that
 * equals its SELECT is rebuilt if necessary. A table that keeps more than its SELECT returns takes a full refresh; if
 * it has a history, also consent to lose it.
 */
export function decideFlowRun(
  /** The version that wrote the table last; undefined: not known. */
  before: FlowShape | undefined,
  after: FlowShape,
  facts: FlowTargetFacts,
  { fullRefresh = false, discardHistory = false, isPartial = false }: FlowRunOptions = {},
): FlowRunDecision {
  if (facts.columns === null) return { ...nothing, action: "create" };
  const existing = facts.columns ?? (before ? namesOf(before) : namesOf(after));
  const reasons = reasonsOf(before, after, facts, existing);
  const isHistory = before ? before.strategy === "history" : isHistoryTable(existing);
  const losesHistory = isHistory && facts.isEmpty !== true;
  const losesRows = !(before && equalsSelect(before)) && facts.isEmpty !== true;
  const lost = { reasons, losesHistory, losesRows };
  if (fullRefresh || reasons.length > 0) {
    const isAllowed = losesHistory
      ? fullRefresh && discardHistory
      : // Without a record, another writer may own the table.
        fullRefresh || (before !== undefined && (!losesRows || equalsSelect(after)));
    return { ...nothing, ...lost, action: isAllowed && !isPartial ? "rebuild" : "refuse" };
  }
  const gone = before ? without(namesOf(before), namesOf(after)) : [];
  return {
    ...nothing,
    action: "keep",
    drop: existing.filter((name) => hasName(gone, name)),
    add: without(Object.keys(after.columns), existing),
  };
}

function reasonsOf(
  before: FlowShape | undefined,
  after: FlowShape,
  { differing }: FlowTargetFacts,
  existing: readonly string[],
): string[] {
  const reasons = [...(differing ?? (before ? differingTypes(before, after) : []))];
  const isHistory = after.strategy === "history";
  if (before && (before.strategy === "history") !== isHistory) {
    reasons.push(
      isHistory
        ? "it has the latest row of each key, and is to have a history"
        : "it has a history, and is to have the latest row of each key",
    );
  } else {
    const isKeyed = after.strategy !== "replace";
    if (before && isKeyed && !sameNames(before.keys, after.keys))
      reasons.push(`its key is ${listed(before.keys)} instead of ${listed(after.keys)}`);
    else if (before && isKeyed && before.strategy === "replace")
      reasons.push("its rows were replaced as a whole, so a key may be there more than once");
    if (before && isHistory && (before.sequence ?? "") !== (after.sequence ?? ""))
      reasons.push(
        `its versions are ordered by ${before.sequence ?? "the time of the run"} instead of ${after.sequence ?? "the time of the run"}`,
      );
    // Existing rows have no value for these columns: the flow's own columns are computed only when a row is written.
    const computed = [...(isKeyed ? after.keys : []), ...after.added];
    for (const name of without(computed, existing)) reasons.push(`${name} is missing`);
  }
  return reasons;
}

const differingTypes = (before: FlowShape, after: FlowShape): string[] =>
  Object.entries(after.columns).flatMap(([name, type]) => {
    const known = Object.entries(before.columns).find(([one]) => sameName(one, name))?.[1];
    return known === undefined || known === type ? [] : [`${name} is ${known} instead of ${type}`];
  });
