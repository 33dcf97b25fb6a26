import type { Drift } from "@lakehelm/contract";
import type { ChangeRequest } from "../../core/store/requests.ts";

/** A difference between what was declared and what is there. */
export interface Difference {
  /** `connector/<id>` */
  readonly subject: `${Drift["kind"]}/${string}`;
  /** The name of the resource. */
  readonly name: string;
  readonly change: Drift["change"];
  /** Null: all of it is gone. */
  readonly field: string | null;
  readonly declared: unknown;
  readonly live: unknown;
  /** Who changed it; null or absent: not known. */
  readonly by?: string | null;
  /** What `adopt` gets to make the definition say it, as JSON; or why no definition can. */
  readonly adoption: { readonly change: unknown } | { readonly problem: string };
}

/** What a comparison of one environment found. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Subjects that could not be compared now: what is known about them stays. */
  readonly undecided: ReadonlySet<string>;
}

/** One difference, as it is stored, that somebody wants to adopt or revert. */
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
  /** The environments that are compared from time to time. */
  environments(): Promise<readonly string[]>;
  /** Compares environments, all together so that they can share requests. An error stands for one of them alone. */
  compare(
    environmentIds: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Comparison | Error>>;
  /** Makes the definition say what is there. Throws a Problem if it cannot. */
  adopt(known: KnownDifference, call: ChangeRequest): Promise<void>;
  /** Makes what is there as it was declared. Throws a Problem if it cannot. */
  revert(known: KnownDifference, call: ChangeRequest): Promise<void>;
}
