import type { WarehouseScope } from "./scope.ts";

export interface FlowPlanRequest {
  readonly scope: WarehouseScope;
  /** The body of a consumption flow request. */
  readonly flow: Readonly<Record<string, unknown>>;
}

export interface FlowFinding {
  /** Why the warehouse cannot run the flow; null: nothing speaks against it. */
  readonly problem: string | null;
}

export interface FlowRequest extends FlowPlanRequest {
  readonly businessDate: string | null;
  readonly run: string;
}

export interface FlowResult {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unmatched: number;
  readonly failedChecks: readonly string[];
  readonly changed: readonly string[];
}
