import { sql } from "kysely";
import type { Step, Store } from "../../core/store/store.ts";

/** The output of a deployment in chunks, in order of arrival. */
interface DeploymentLog {
  /**
   * A step for a transaction that has locked the deployment's row by updating it: so two chunks never get the same
   * position.
   */
  append(deploymentId: string, chunk: string): Step;
  read(deploymentId: string): Promise<string>;
}

export function createDeploymentLog(store: Store): DeploymentLog {
  const insert = store.prepare((db, v: { id: string; chunk: string }) =>
    db.insertInto("deployment_log").values({
      deployment_id: v.id,
      n: sql<number>`(select coalesce(max(n), 0) + 1 from deployment_log where deployment_id = ${v.id})`,
      chunk: v.chunk,
    }),
  );
  const chunks = store.prepare((db, v: { id: string }) =>
    db.selectFrom("deployment_log").select("chunk").where("deployment_id", "=", v.id).orderBy("n"),
  );
  return {
    // As JSON text a chunk may contain NUL, which PostgreSQL rejects in text.
    append: (id, chunk) => insert({ id, chunk: JSON.stringify(chunk) }),
    async read(id) {
      const rows = await store.all(chunks({ id }));
      return rows.map(({ chunk }) => JSON.parse(chunk) as string).join("");
    },
  };
}
