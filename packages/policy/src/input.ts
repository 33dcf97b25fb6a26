import type { PlanPolicy, PlanReference, PlanStep } from "@lakehelm/contract";

export type PolicyRule = PlanPolicy;

/** A table that a resource reads or writes. */
export interface PolicyTable {
  /** `catalog.schema.table`, in lower case. */
  readonly name: string;
  readonly reads: boolean;
  readonly writes: boolean;
  /** False: nothing has made it yet, so it has no columns and tags but those that a flow declares. */
  readonly exists: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly columns: readonly {
    readonly name: string;
    readonly tags: Readonly<Record<string, string>>;
  }[];
}

/** What could not be found out, as a sentence. A rule that reads it counts as violated. */
export interface NotKnown {
  readonly notKnown: string;
}

/** What a rule sees of one step: these are its variables. */
export interface PolicyInput {
  readonly action: PlanStep["action"];
  readonly resource: {
    readonly kind: string;
    readonly name: string;
    /** Null: it does not exist yet. */
    readonly id: string | null;
    /** Who made it, or makes it now; null: its kind has no owner. */
    readonly owner: string | null;
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
  /** The tables that the resource reads or writes when the plan is done; of one that is deleted, until then. */
  readonly tables: readonly PolicyTable[] | NotKnown;
  /** The SQL files of a pipeline as they will be. */
  readonly sql: readonly { readonly path: string; readonly text: string }[] | NotKnown;
  readonly running_runs: readonly string[];
  readonly data_lost: readonly string[];
  /** How many steps the whole plan has, by action. */
  readonly steps: Readonly<Record<"create" | "update" | "replace" | "delete", number>>;
  /** Who has approved the plan so far. */
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
