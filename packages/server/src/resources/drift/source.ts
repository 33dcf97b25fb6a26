import type { Drift } from "@lakehelm/contract";
import type { ChangeRequest } from "../../core/store/requests.ts";

/** A difference between the definition of a resource and the live resource. */
export interface Difference {
  /** `connector/<id>` */
  readonly subject: `${Drift["kind"]}/${string}`;
  /** The name of the resource. */
  readonly name: string;
  readonly change: Drift["change"];
  /** Null: the whole resource is gone. */
  readonly field: string | null;
  readonly declared: unknown;
  readonly live: unknown;
  /** Who changed it; null or absent: not known. */
  readonly by?: string | null;
  /**
   * The change, as JSON, with which `adopt` updates the definition; or why no definition can express the difference.
   */
  readonly adoption: { readonly change: unknown } | { readonly problem: string };
}

/** What a comparison of one environment found. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Subjects that could not be compared now: their known differences stay. */
  readonly undecided: ReadonlySet<string>;
}

/** A stored difference that a caller wants to adopt or revert. */
export interface KnownDifference {
  readonly drift: Drift;
  /** The `change` of its adoption; undefined: it cannot be adopted. */
  readonly adoption: unknown;
  /** The other fields of the same resource that differ: they stay as they are. */
  readonly others: readonly string[];
}

/** A place where resources can differ from what was declared. */
export interface DriftSource {
  readonly name: Drift["seen_in"];
  /** The environments that are compared periodically. */
  environments(): Promise<readonly string[]>;
  /** Compares environments, all together so that they can share requests. An error concerns only its environment. */
  compare(
    environmentIds: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Comparison | Error>>;
  /** Changes the definition to match the live resource. Throws a Problem if it cannot. */
  adopt(known: KnownDifference, call: ChangeRequest): Promise<void>;
  /** Changes the live resource to match its definition. Throws a Problem if it cannot. */
  revert(known: KnownDifference, call: ChangeRequest): Promise<void>;
}
