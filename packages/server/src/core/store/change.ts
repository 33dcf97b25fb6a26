import type { Compilable, Kysely } from "kysely";
import type { Refusal, SqlValue, Statement } from "./database.ts";
import type { StoredKind, Tables } from "./tables.ts";

/** Who makes a change, in which request, and when. */
export interface ChangeContext {
  readonly actor: string;
  /** The caller's role in the environment of the request. Absent for changes that the server makes by itself. */
  readonly role?: string;
  /** The caller's role on the whole server, which a role in one environment does not give. Absent as `role`. */
  readonly serverRole?: string;
  readonly requestId: string | null;
  readonly time: string;
  /** Quotas count what it adds, and do not refuse it if that has at most so many bytes: it only moves a state. */
  readonly freeBytes?: number;
  /** The plan that the change is part of: its events name it. */
  readonly plan?: { readonly id: string; readonly commit: string | null };
}

/**
 * What a step stores or removes. The change that it belongs to counts it, by environment and by identity, so that nothing is counted
 * by reading what is stored.
 */
export interface StoredChange {
  readonly kind: StoredKind;
  readonly environmentId: string | null;
  /** The identity that it counts for. Absent: the one that makes the change. */
  readonly chargedTo?: string | null;
  /** Of a change: the bytes that it had. Whoever makes it larger is charged for all of it: nobody can fill the quota of another. */
  readonly bytesBefore?: number;
  /** How many more, or fewer. */
  readonly n: number;
  readonly bytes: number;
}

/** A statement, and the error for the caller if it is refused. Without one, the rule is retried. */
export interface Step extends Statement {
  /** It stores a document beyond the limit: refused, unless the server records something in it by itself. */
  readonly isTooLarge?: boolean;
  readonly refused?: Partial<Record<Refusal["why"], () => Error>>;
  /** What it stores or removes, for quotas. */
  readonly stored?: StoredChange;
  /** The same statement, once it is known which identity the row counts for. */
  readonly chargedTo?: (identity: string | null) => Statement;
  /** The row that it changes, if that must be as it was read: `connectors/<id>`. */
  readonly row?: string;
}

/** Compiles a query once; values are bound at each use. `v` represents the values. */
export type Prepare = <Values extends Record<string, SqlValue>, Result>(
  build: (db: Kysely<Tables>, v: Values) => Compilable<Result>,
) => (values: Values) => Statement<Result>;
