import type { Step, Store } from "../../core/store/store.ts";

export type FileIntentKind = "file.put" | "file.remove";

/** A change of a file that is committed and may not be on the disk yet. */
export interface FileIntent {
  readonly id: string;
  readonly kind: FileIntentKind;
  readonly environmentId: string;
  readonly path: string;
}

/** File intents of one data folder: other servers on the same database have folders, and intents, of their own. */
interface PendingFiles {
  add(intent: FileIntent): Step;
  drop(id: string): Step;
  /** In the order they were wanted. */
  all(): Promise<FileIntent[]>;
}

export function pendingFiles(store: Store, dataFolderId: string): PendingFiles {
  // No environment_id: it is nothing that a platform must do.
  const insert = store.prepare((db, v: { id: string; kind: string; data: string }) =>
    db.insertInto("intents").values({
      id: v.id,
      environment_id: null,
      kind: v.kind,
      subject: `files/${dataFolderId}`,
      data: v.data,
    }),
  );
  const remove = store.prepare((db, v: { id: string }) => db.deleteFrom("intents").where("id", "=", v.id));
  const mine = store.prepare((db, _: Record<string, never>) =>
    db
      .selectFrom("intents")
      .select(["id", "kind", "data"])
      .where("subject", "=", `files/${dataFolderId}`)
      .orderBy("id"),
  );
  return {
    add: ({ id, kind, environmentId, path }) =>
      insert({ id, kind, data: JSON.stringify({ environmentId, path }) }),
    drop: (id) => remove({ id }),
    async all() {
      const rows = await store.all(mine({}));
      return rows.map(({ id, kind, data }) => {
        const { environmentId, path } = JSON.parse(data) as Pick<FileIntent, "environmentId" | "path">;
        return { id, kind: kind as FileIntentKind, environmentId, path };
      });
    },
  };
}
