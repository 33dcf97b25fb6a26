import type { PlanPolicy, PlanReference, PlanStep } from "@lakehelm/contract";

export type PolicyRule = PlanPolicy;

/** What a rule sees of one step: these are its variables. */
export interface PolicyInput {
  readonly action: PlanStep["action"];
  readonly resource: {
    readonly kind: string;
    readonly name: string;
    /** Null: it does not exist yet. */
    readonly id: string | null;
  };
  /** The live definition without secrets; an empty map: there is none. */
  readonly before: Readonly<Record<string, unknown>>;
  /** The desired definition without secrets; an empty map: it is deleted. */
  readonly after: Readonly<Record<string, unknown>>;
  /** `reference`: the secret is a reference to a stored one, or is kept as it is stored. */
  readonly changes: readonly {
    readonly path: string;
    readonly sensitive: boolean;
    readonly reference: boolean;
  }[];
  /** What uses the resource when the plan is done. */
  readonly downstream: readonly Pick<PlanReference, "kind" | "name">[];
  readonly running_runs: readonly string[];
  readonly data_lost: readonly string[];
  readonly actor: string;
  readonly environment: {
    readonly name: string;
    readonly protected: boolean;
    readonly platform: string;
  };
  readonly project: {
    readonly name: string;
    readonly commit: string | null;
    readonly branch: string | null;
  };
  /** When the plan is made or applied, as an ISO time. Rules see a timestamp. */
  readonly now: string;
}
