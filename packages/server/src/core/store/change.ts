import type { Compilable, Kysely } from "kysely";
import type { Refusal, SqlValue, Statement } from "./database.ts";
import type { StoredKind, Tables } from "./tables.ts";

/** Who makes a change, in which request, and when. */
export interface ChangeContext {
  readonly actor: string;
  /** The caller's role in the environment of the request. Absent for changes that the server makes by itself. */
  readonly role?: string;
  /**
   * The caller's role on the whole server, which a role in one environment does not give. Absent for the same changes
   * as `role`.
   */
  readonly serverRole?: string;
  readonly requestId: string | null;
  readonly time: string;
  /** Quotas count what the change adds, but do not refuse it up to this many bytes: it only moves a state. */
  readonly freeBytes?: number;
  /** The plan that the change is part of: its events name it. */
  readonly plan?: { readonly id: string; readonly commit: string | null };
}

/**
 * What a step stores or removes. The change counts it by environment and by identity, so that usage is never computed
 * by reading what is stored.
 */
export interface StoredChange {
  readonly kind: StoredKind;
  readonly environmentId: string | null;
  /** The identity whose quota counts it. Absent: the one that makes the change. */
  readonly chargedTo?: string | null;
  /**
   * For an update: the size before. Who makes a row larger is charged for all of it, so that nobody can fill the quota
   * of somebody else.
   */
  readonly bytesBefore?: number;
  /** The number of added rows; negative for removed ones. */
  readonly n: number;
  readonly bytes: number;
}

/** A statement, and the errors for the caller if it is refused. Without an error, the rule is retried. */
export interface Step extends Statement {
  /** The statement stores a document beyond the limit: refused, unless the server itself makes the change. */
  readonly isTooLarge?: boolean;
  readonly refused?: Partial<Record<Refusal["why"], () => Error>>;
  /** What the statement stores or removes, for quotas. */
  readonly stored?: StoredChange;
  /** Makes the same statement once it is known which identity the row counts for. */
  readonly chargedTo?: (identity: string | null) => Statement;
  /** The row that the statement changes, if it must not have changed since it was read: `connectors/<id>`. */
  readonly row?: string;
}

/** Compiles a query once; values are bound at each use. `v` represents the values. */
export type Prepare = <Values extends Record<string, SqlValue>, Result>(
  build: (db: Kysely<Tables>, v: Values) => Compilable<Result>,
) => (values: Values) => Statement<Result>;
