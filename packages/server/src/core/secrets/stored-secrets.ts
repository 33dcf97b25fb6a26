import { encodeJson } from "@lakehelm/contract/schema";
import type { Logger } from "pino";
import { collection } from "../store/collection.ts";
import type { ChangeContext, Store } from "../store/store.ts";
import type { ResourceTableName } from "../store/tables.ts";
import { isInKeyring, storedOnce } from "./keyring.ts";

/**
 * The version of the rules that say what is a secret. A database that was last used with other rules may contain values
 * in the clear that are secrets now: they are masked and encrypted once, at the start.
 */
const rules = "masking rules 2";

/** Masks the secrets of stored rows by the current rules. Returns the number of changed rows. */
export type MaskStored = (context: ChangeContext) => Promise<number>;

export async function maskStoredSecrets(
  store: Store,
  tasks: readonly (MaskStored | undefined)[],
  context: ChangeContext,
  log: Pick<Logger, "warn">,
): Promise<void> {
  if (await isInKeyring(store, rules)) return;
  let changed = 0;
  for (const task of tasks) changed += (await task?.(context)) ?? 0;
  await storedOnce(store, rules, context.time);
  if (changed > 0) {
    log.warn({ rows: changed }, "secrets that were stored in the clear are now encrypted; replace them");
  }
}

/**
 * Rewrites the rows of a table whose documents change. After a version conflict with another server, the row is read
 * again.
 */
export async function maskTable<Doc>(
  store: Store,
  table: ResourceTableName,
  mask: (doc: Doc, sealed: string | null) => { readonly doc: Doc; readonly sealed: string | null },
  context: ChangeContext,
): Promise<number> {
  const rows = collection<Doc>(store, table);
  const ids = store.prepare((db, _: Record<string, never>) => db.selectFrom(table).select("id"));
  let changed = 0;
  for (const { id } of await store.all(ids({}))) {
    await store.retryOnConflict(async () => {
      const before = await rows.get(id);
      if (!before) return;
      const next = mask(before.doc, before.sealed);
      if (encodeJson(next.doc) === encodeJson(before.doc)) return;
      await store.apply({ context, steps: rows.update(before, next), events: [] });
      changed++;
    });
  }
  return changed;
}
