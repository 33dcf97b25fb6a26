import { sql } from "kysely";
import type { Step, Store } from "../../core/store/store.ts";

/** What a deployment printed, chunk by chunk, in the order it came. */
interface DeploymentLog {
  /**
   * A step for a change that has the deployment's row to itself (it updates it before): then no two
   * chunks ever ask for the same place.
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
    // As JSON text a chunk may hold anything, NUL included, which PostgreSQL takes in no text.
    append: (id, chunk) => insert({ id, chunk: JSON.stringify(chunk) }),
    async read(id) {
      const rows = await store.all(chunks({ id }));
      return rows.map(({ chunk }) => JSON.parse(chunk) as string).join("");
    },
  };
}
