import type { FlowShape, FlowTargetFacts } from "@lakehelm/contract/changes";
import type { ExpectedTable } from "./expected-table.ts";
import type { WarehouseScope } from "./scope.ts";

export interface FlowPlanRequest {
  readonly scope: WarehouseScope;
  /** The body of a consumption flow request. */
  readonly flow: Readonly<Record<string, unknown>>;
  /** Tables as they will be when the flow runs, instead of the tables in the catalog. */
  readonly expected?: readonly ExpectedTable[];
}

export interface FlowFinding {
  /** Why the warehouse cannot run the flow; null if it can. */
  readonly problem: string | null;
  /** The state of the table that the flow writes. Absent with a problem. */
  readonly target?: {
    readonly facts: FlowTargetFacts;
    /** The shape of the flow that wrote the table last; null if it was not recorded. */
    readonly before: FlowShape | null;
  };
}

export interface FlowRequest extends FlowPlanRequest {
  readonly businessDate: string | null;
  /** How much the row count may differ from that of the last run whose checks passed; null: any. */
  readonly maxDrift: number | null;
  readonly run: string;
  /** Builds the target again from the SELECT. */
  readonly fullRefresh?: boolean;
  /** The consent that a full refresh may lose the versions of a history. */
  readonly discardHistory?: boolean;
}

export interface FlowResult {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unmatched: number;
  /** Rows that were not published, because another row with the same key was published. */
  readonly duplicates: number;
  readonly remarks: readonly { readonly level: "info" | "warn"; readonly text: string }[];
  readonly failedChecks: readonly {
    readonly text: string;
    readonly severity: "fail" | "warn";
    /** A SELECT of the violations, in the Databricks dialect. */
    readonly query?: string;
  }[];
  readonly changed: readonly string[];
}
