import { sql } from "kysely";
import type { Stored } from "../../core/store/collection.ts";
import type { Step, Store } from "../../core/store/store.ts";
import { former } from "../../core/store/stored-scopes.ts";
import { uncounted } from "../../core/store/stored-usage.ts";

type DeploymentRow = Pick<Stored<unknown>, "id" | "environmentId" | "chargedTo">;

/** The output of a deployment in chunks, in order of arrival. */
interface DeploymentLog {
  /**
   * Steps for a transaction that has locked the deployment's row by updating it: so two chunks never get the same
   * position. Once the log is full, they store nothing: a long log must not fail its deployment.
   */
  append(deployment: DeploymentRow, chunk: string): Promise<Step[]>;
  read(deploymentId: string): Promise<string>;
  /** These steps must come before those that remove the deployment. */
  remove(deploymentId: string): Step[];
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
  const length = store.prepare((db, v: { id: string }) =>
    db
      .selectFrom("deployment_log")
      .select([
        sql<number>`coalesce(max(n), 0)`.as("chunks"),
        sql<number>`coalesce(sum(octet_length(chunk)), 0)`.as("bytes"),
      ])
      .where("deployment_id", "=", v.id),
  );
  const uncount = uncounted(store, "deployments", (eb, v: { id: string }) => ({
    n: sql.lit(0),
    bytes: sql<number>`(${eb
      .selectFrom("deployment_log")
      .select(sql<number>`coalesce(sum(octet_length(chunk)), 0)`.as("bytes"))
      .where("deployment_id", "=", v.id)
      .where("n", ">", sql.lit(0))})`,
    scopes: sql<string>`select coalesce('environment/' || environment_id, ${sql.lit(former)}) from deployments where id = ${v.id}
      union all select 'caller/' || charged_to from deployments where id = ${v.id} and charged_to is not null`,
  }));
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
  /** The notice has the position 0: a log without a chunk at position 1 is not archived again. */
  const insertNotice = store.prepare((db, v: { id: string; chunk: string }) =>
    db.insertInto("deployment_log").values({ deployment_id: v.id, n: 0, chunk: v.chunk }),
  );
  const decoded = (rows: readonly { chunk: string }[]) =>
    rows.map(({ chunk }) => JSON.parse(chunk) as string);
  return {
    chunks: async (id) => decoded(await store.all(chunks({ id }))),
    hasChunks: async (id) => (await store.one(first({ id }))) !== undefined,
    replace: (id, count, notice) => [
      uncount({ id }),
      { ...remove({ id }), expect: count },
      insertNotice({ id, chunk: JSON.stringify(notice) }),
    ],
    remove: (id) => [uncount({ id }), remove({ id })],
    async append({ id, environmentId, chargedTo = null }, chunk) {
      const before = await store.one(length({ id }));
      if (Number(before?.chunks ?? 0) >= maxChunks || Number(before?.bytes ?? 0) >= maxBytes) return [];
      // Stored as JSON, because a chunk may contain NUL, which PostgreSQL rejects in text.
      const text = JSON.stringify(chunk);
      const bytes = Buffer.byteLength(text);
      const stored = { kind: "deployments", environmentId, chargedTo, n: 0, bytes } as const;
      return [{ ...insert({ id, chunk: text }), expect: 1, stored }];
    },
    async read(id) {
      const rows = await store.all(chunks({ id }));
      const bytes = rows.reduce((sum, { chunk }) => sum + Buffer.byteLength(chunk), 0);
      const isFull = rows.length >= maxChunks || bytes >= maxBytes;
      return decoded(rows).join("") + (isFull ? fullNotice : "");
    },
  };
}
