import { sql } from "kysely";
import type { Step, Store } from "../../core/store/store.ts";

/** The output of a deployment in chunks, in order of arrival. */
interface DeploymentLog {
  /**
   * A step for a transaction that has locked the deployment's row by updating it: so two chunks never get the same
   * position. Once the log is full, it stores nothing: a long log must not fail its deployment.
   */
  append(deploymentId: string, chunk: string): Step;
  read(deploymentId: string): Promise<string>;
  remove(deploymentId: string): Step;
  chunks(deploymentId: string): Promise<string[]>;
  /** False if the log is empty, or only says where it was archived. */
  hasChunks(deploymentId: string): Promise<boolean>;
  /** Replaces the log, if it has this many chunks. */
  replace(deploymentId: string, chunks: number, notice: string): Step[];
}

/** The log is read as a whole. The last chunk may exceed the limit. */
const maxBytes = 8 * 1024 * 1024;
const maxChunks = 10_000;
const fullNotice = "\n… The log is full: the rest was not stored.\n";

export function createDeploymentLog(store: Store): DeploymentLog {
  const insert = store.prepare((db, v: { id: string; chunk: string }) => {
    const before = db
      .selectFrom("deployment_log")
      .select([
        sql<number>`coalesce(max(n), 0)`.as("chunks"),
        sql<number>`coalesce(sum(octet_length(chunk)), 0)`.as("bytes"),
      ])
      .where("deployment_id", "=", v.id)
      .as("before");
    return db
      .insertInto("deployment_log")
      .columns(["deployment_id", "n", "chunk"])
      .expression(
        db
          .selectFrom(before)
          .select([
            sql<string>`cast(${v.id} as text)`.as("deployment_id"),
            sql<number>`chunks + 1`.as("n"),
            sql<string>`cast(${v.chunk} as text)`.as("chunk"),
          ])
          .where("chunks", "<", maxChunks)
          .where("bytes", "<", maxBytes),
      );
  });
  const chunks = store.prepare((db, v: { id: string }) =>
    db.selectFrom("deployment_log").select("chunk").where("deployment_id", "=", v.id).orderBy("n"),
  );
  const remove = store.prepare((db, v: { id: string }) =>
    db.deleteFrom("deployment_log").where("deployment_id", "=", v.id),
  );
  const first = store.prepare((db, v: { id: string }) =>
    db.selectFrom("deployment_log").select("n").where("deployment_id", "=", v.id).where("n", "=", 1),
  );
  /** Before the first chunk: a log without that one is not archived again. */
  const insertNotice = store.prepare((db, v: { id: string; chunk: string }) =>
    db.insertInto("deployment_log").values({ deployment_id: v.id, n: 0, chunk: v.chunk }),
  );
  const decoded = (rows: readonly { chunk: string }[]) =>
    rows.map(({ chunk }) => JSON.parse(chunk) as string);
  return {
    chunks: async (id) => decoded(await store.all(chunks({ id }))),
    hasChunks: async (id) => (await store.one(first({ id }))) !== undefined,
    replace: (id, count, notice) => [
      { ...remove({ id }), expect: count },
      insertNotice({ id, chunk: JSON.stringify(notice) }),
    ],
    remove: (id) => remove({ id }),
    // As JSON text a chunk may contain NUL, which PostgreSQL rejects in text.
    append: (id, chunk) => insert({ id, chunk: JSON.stringify(chunk) }),
    async read(id) {
      const rows = await store.all(chunks({ id }));
      const bytes = rows.reduce((sum, { chunk }) => sum + Buffer.byteLength(chunk), 0);
      const isFull = rows.length >= maxChunks || bytes >= maxBytes;
      return decoded(rows).join("") + (isFull ? fullNotice : "");
    },
  };
}
