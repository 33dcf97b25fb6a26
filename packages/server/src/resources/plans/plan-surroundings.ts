import type { Definition } from "../planned-definition.ts";
import type { ResourceGraph } from "./graph.ts";

/** Of something that does not change, and that an earlier change of others has broken. */
export const leftBehindText =
  "It does not change in this plan, and it does not fit the tables that it reads: change it, or what writes them.";

/** A resource as it will be when the plan is done. */
export interface StayingResource {
  readonly node: string;
  /** Undefined: it does not exist yet. */
  readonly id: string | undefined;
  readonly definition: Definition;
  /** Undefined: it does not change. */
  readonly before?: Definition | undefined;
  /** Its step; null: it is in no step. */
  readonly position: number | null;
}

/** What surrounds the changes of a plan. */
export interface PlanSurroundings {
  /** As it will be. */
  readonly graph: ResourceGraph;
  /** The resources whose tables may have other columns after the plan. */
  readonly changed: ReadonlySet<string>;
  /** Whether pipelines may write tables that the plan does not know. */
  readonly hasUnknownTables: boolean;
  /** Resources whose code is not known. */
  readonly unknown: readonly string[];
  /** Everything in the environment when the plan is done. */
  readonly stays: readonly StayingResource[];
}
