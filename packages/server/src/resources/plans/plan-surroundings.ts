import type { Definition } from "../planned-definition.ts";
import type { ResourceGraph } from "./graph.ts";

/** For a resource that does not change, and that an earlier change of other resources has broken. */
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
  /** The position of the resource's step; null: it has no step. */
  readonly position: number | null;
}

/** The resources around the changes of a plan. */
export interface PlanSurroundings {
  /** The resources as they will be when the plan is done. */
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
