import type { WarehouseScope } from "./scope.ts";

export interface FlowRequest {
  readonly scope: WarehouseScope;
  /** The body of a consumption flow request. */
  readonly flow: Readonly<Record<string, unknown>>;
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
