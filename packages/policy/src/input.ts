import type { PlanPolicy, PlanReference, PlanStep } from "@lakehelm/contract";

export type PolicyRule = PlanPolicy;

/** A table that a resource reads or writes. */
export interface PolicyTable {
  /** `catalog.schema.table`, in lower case. */
  readonly name: string;
  readonly reads: boolean;
  readonly writes: boolean;
  /** False: the table has not been made yet, so it has only the columns and tags that a flow declares. */
  readonly exists: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly columns: readonly {
    readonly name: string;
    readonly tags: Readonly<Record<string, string>>;
  }[];
}

/** Why a value is unknown, as a sentence. A rule that reads an unknown value counts as violated. */
export interface NotKnown {
  readonly notKnown: string;
}

/** The variables of a rule, for one step. */
export interface PolicyInput {
  readonly action: PlanStep["action"];
  readonly resource: {
    readonly kind: string;
    readonly name: string;
    /** Null: the resource does not exist yet. */
    readonly id: string | null;
    /** The owner of the resource; null: resources of its kind have no owner. */
    readonly owner: string | null;
  };
  /** The live definition without secrets; an empty map: the resource does not exist. */
  readonly before: Readonly<Record<string, unknown>>;
  /** The desired definition without secrets; an empty map: the resource is deleted. */
  readonly after: Readonly<Record<string, unknown>>;
  /** `reference`: the secret is a reference to a stored secret, or the stored value is kept. */
  readonly changes: readonly {
    readonly path: string;
    readonly sensitive: boolean;
    readonly reference: boolean;
  }[];
  /** The resources that use this one after the plan. */
  readonly downstream: readonly Pick<PlanReference, "kind" | "name">[];
  /** The tables that the resource reads or writes after the plan; if the resource is deleted, before the plan. */
  readonly tables: readonly PolicyTable[] | NotKnown;
  /** The SQL files of a pipeline after the plan. */
  readonly sql: readonly { readonly path: string; readonly text: string }[] | NotKnown;
  readonly running_runs: readonly string[];
  readonly data_lost: readonly string[];
  /** The number of steps in the whole plan, by action. */
  readonly steps: Readonly<Record<"create" | "update" | "replace" | "delete", number>>;
  /** The users who have approved the plan so far. */
  readonly approvals: readonly string[];
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
