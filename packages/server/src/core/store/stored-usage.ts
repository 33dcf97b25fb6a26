import { type Expression, type ExpressionBuilder, sql } from "kysely";
import { Problem } from "../errors.ts";
import type { ChangeContext, Prepare, Step, StoredChange } from "./change.ts";
import type { Statement } from "./database.ts";
import type { StoredQuota, StoredQuotas } from "./stored-quotas.ts";
import { isRecord, scopeOfCaller, scopeOfEnvironment } from "./stored-scopes.ts";
import type { StoredKind, Tables } from "./tables.ts";

/** A statement that counts what a change stores; with a quota, the statement is refused beyond the limit. */
interface UsageStep extends Step {
  readonly quota?: RefusedQuota;
}

interface RefusedQuota extends StoredQuota {
  readonly asked: Readonly<Amount>;
}

export interface StoredUsage {
  /** The identity that a change counts for; null: the server makes it by itself. */
  identityOf(context: ChangeContext): string | null;
  /** Whether the changed resource counts for the changing identity from now on. */
  takesOver(context: ChangeContext, change: StoredChange): boolean;
  /** Counts all that the steps of a change store. */
  steps(context: ChangeContext, steps: readonly Step[]): UsageStep[];
  /** Throws if a change that stores this would be refused now. */
  requireRoom(context: ChangeContext, changes: readonly StoredChange[]): Promise<void>;
  /** Why a change was refused. */
  problem(quota: RefusedQuota): Promise<Problem>;
}

interface Amount {
  n: number;
  bytes: number;
}

interface StorePart {
  readonly prepare: Prepare;
  one<Result>(statement: Statement<Result>): Promise<Result | undefined>;
}

export function createStoredUsage(store: StorePart, quotas: StoredQuotas): StoredUsage {
  type Row = Tables["stored_usage"];
  type Limits = { most_n: number; most_bytes: number };
  const grow = store.prepare((db, v: Row & Limits) =>
    db
      .insertInto("stored_usage")
      .values({ scope: v.scope, kind: v.kind, n: v.n, bytes: v.bytes })
      .onConflict((oc) =>
        oc
          .columns(["scope", "kind"])
          .doUpdateSet(sum)
          .where(sql<boolean>`(excluded.n <= 0 or stored_usage.n + excluded.n <= ${v.most_n})`)
          .where(
            sql<boolean>`(excluded.bytes <= 0 or stored_usage.bytes + excluded.bytes <= ${v.most_bytes})`,
          ),
      ),
  );
  const add = store.prepare((db, v: Row) =>
    db
      .insertInto("stored_usage")
      .values({ scope: v.scope, kind: v.kind, n: v.n, bytes: v.bytes })
      .onConflict((oc) => oc.columns(["scope", "kind"]).doUpdateSet(sum)),
  );
  const reduce = store.prepare((db, v: Row) =>
    db
      .updateTable("stored_usage")
      .set((eb) => ({ n: eb("n", "+", v.n), bytes: eb("bytes", "+", v.bytes) }))
      .where("scope", "=", v.scope)
      .where("kind", "=", v.kind),
  );
  const read = store.prepare((db, v: { scope: string; kind: string }) =>
    db
      .selectFrom("stored_usage")
      .select(["n", "bytes"])
      .where("scope", "=", v.scope)
      .where("kind", "=", v.kind),
  );

  const identityOf = ({ actor, role }: ChangeContext) => (role === undefined ? null : actor);

  function takesOver(context: ChangeContext, { chargedTo, bytes, bytesBefore }: StoredChange): boolean {
    const identity = identityOf(context);
    if (identity === null || context.freeBytes !== undefined || bytesBefore === undefined) return false;
    return bytes > 0 && chargedTo !== undefined && chargedTo !== identity;
  }

  async function usageOf({ scope, kind }: StoredQuota): Promise<Amount> {
    const found = await store.one(read({ scope, kind }));
    return { n: Number(found?.n ?? 0), bytes: Number(found?.bytes ?? 0) };
  }

  function stepOf(row: Row, quota: StoredQuota | undefined): UsageStep {
    const { n, bytes } = row;
    // An update instead of an insert: the same change may delete the environment, and its row with it.
    if (n <= 0 && bytes <= 0) return reduce(row);
    if (!quota) return add(row);
    const refusable = { expect: 1, quota: { ...quota, asked: { n, bytes } } };
    // If the row does not exist yet, `grow` inserts it without checking the limits.
    if (n > quota.n || bytes > quota.bytes) return { ...refuse(row), ...refusable };
    return { ...grow({ ...row, most_n: quota.n, most_bytes: quota.bytes }), ...refusable };
  }

  const refuse = store.prepare((db, v: Row) =>
    db
      .updateTable("stored_usage")
      .set((eb) => ({ n: eb.ref("n") }))
      .where("scope", "=", v.scope)
      .where("kind", "=", v.kind)
      .where(sql<boolean>`1 = 0`),
  );

  /**
   * What changes add, by scope and kind, the sum of a scope last. Always in the same order, so that transactions do not
   * deadlock.
   */
  function amountsOf(context: ChangeContext, changes: readonly StoredChange[]) {
    const amounts = new Map<string, { scope: string; kind: string } & Amount>();
    const count = (scope: string, kind: string, n: number, bytes: number) => {
      const amount = amounts.getOrInsertComputed(`${scope} ${kind || "~"}`, () => ({
        scope,
        kind,
        n: 0,
        bytes: 0,
      }));
      amount.n += n;
      amount.bytes += bytes;
    };
    const identity = identityOf(context);
    const charge = (owner: string | null, kind: StoredKind, n: number, bytes: number) => {
      if (owner === null) return;
      if (kind === "files") count(scopeOfCaller(owner), kind, n, bytes);
      else count(scopeOfCaller(owner), "", isRecord(kind) ? 0 : n, bytes);
    };
    for (const change of changes) {
      const { kind, environmentId, chargedTo = identity, n, bytes, bytesBefore = 0 } = change;
      // The files of an environment are counted on the disk.
      if (kind !== "files") {
        const scope = scopeOfEnvironment(kind, environmentId);
        count(scope, kind, n, bytes);
        count(scope, "", n, bytes);
      }
      if (takesOver(context, change)) {
        charge(chargedTo, kind, -1, -bytesBefore);
        charge(identity, kind, 1, bytesBefore + bytes);
      } else charge(chargedTo, kind, n, bytes);
    }
    return [...amounts]
      .filter(([, { n, bytes }]) => n !== 0 || bytes !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, amount]) => amount);
  }

  /** Undefined if nothing limits the change, such as a change of the server itself. */
  function quotaFor(
    { role, freeBytes = -1 }: ChangeContext,
    { scope, kind, bytes }: { readonly scope: string; readonly kind: string; readonly bytes: number },
  ): StoredQuota | undefined {
    if (role === undefined || bytes <= freeBytes) return undefined;
    return quotas.of(scope, kind);
  }

  return {
    identityOf,
    takesOver,
    steps(context, steps) {
      const changes = steps.flatMap(({ stored }) =>
        stored && (stored.n !== 0 || stored.bytes !== 0) ? stored : [],
      );
      if (changes.length === 0) return [];
      return amountsOf(context, changes).map((amount) => stepOf(amount, quotaFor(context, amount)));
    },
    async requireRoom(context, changes) {
      for (const amount of amountsOf(context, changes)) {
        const quota = quotaFor(context, amount);
        const usage = quota && (await usageOf(quota));
        const isFull =
          usage &&
          ((amount.n > 0 && usage.n + amount.n > quota.n) ||
            (amount.bytes > 0 && usage.bytes + amount.bytes > quota.bytes));
        if (isFull) throw new Problem("tooLarge", quotas.refuse(quota, usage, amount));
      }
    },
    async problem(quota) {
      return new Problem("tooLarge", quotas.refuse(quota, await usageOf(quota), quota.asked));
    },
  };
}

const sum = () => ({
  n: sql<number>`stored_usage.n + excluded.n`,
  bytes: sql<number>`stored_usage.bytes + excluded.bytes`,
});

type Usage = ExpressionBuilder<Tables, "stored_usage">;

/**
 * A statement that no longer counts rows whose size only the database knows. It comes before the statement that removes
 * them. `build` selects their scopes, and what is subtracted from the row of the kind and from the total.
 */
export const uncounted = <V extends Record<string, string | number | null>>(
  store: Pick<StorePart, "prepare">,
  kind: StoredKind,
  build: (
    eb: Usage,
    v: V,
  ) => {
    readonly n: Expression<number>;
    readonly bytes: Expression<number>;
    readonly scopes: Expression<string>;
  },
): ((values: V) => Statement) =>
  store.prepare((db, v: V) =>
    db
      .updateTable("stored_usage")
      .set((eb) => {
        const { n, bytes } = build(eb, v);
        return { n: sql<number>`n - ${n}`, bytes: sql<number>`bytes - ${bytes}` };
      })
      .where((eb) => sql<boolean>`scope in (${build(eb, v).scopes})`)
      .where("kind", "in", kind === "files" ? [kind] : [kind, ""]),
  );
