import type { Store } from "./store.ts";
import { former } from "./stored-scopes.ts";
import type { Tables } from "./tables.ts";

/** The counted usage: a few rows for each environment and identity. */
export interface StoredUsageRows {
  all(): Promise<readonly Tables["stored_usage"][]>;
  ofScopes(one: string, other: string): Promise<readonly Tables["stored_usage"][]>;
}

export function createStoredUsageRows(store: Store): StoredUsageRows {
  const all = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("stored_usage").select(["scope", "kind", "n", "bytes"]).where("scope", "!=", former),
  );
  const ofScopes = store.prepare((db, v: { one: string; other: string }) =>
    db
      .selectFrom("stored_usage")
      .select(["scope", "kind", "n", "bytes"])
      .where("scope", "in", [v.one, v.other]),
  );
  // PostgreSQL sends large integers as text.
  const numbers = (rows: readonly Tables["stored_usage"][]) =>
    rows.map((row) => ({ ...row, n: Number(row.n), bytes: Number(row.bytes) }));

  return {
    all: async () => numbers(await store.all(all({}))),
    ofScopes: async (one, other) => numbers(await store.all(ofScopes({ one, other }))),
  };
}
