import { sql } from "kysely";
import type { Step, Store } from "../../core/store/store.ts";
import type { Deployment } from "./document.ts";

type Status = Deployment["status"];

/** The number of deployments per status in an environment, updated in the transaction of each change. */
export interface DeploymentCounts {
  add(environmentId: string, status: Status): Step;
  remove(environmentId: string, status: Status): Step;
  move(environmentId: string, from: Status, to: Status): Step;
  /** Statuses without deployments are left out. */
  read(environmentId: string): Promise<Record<string, number>>;
}

export function createDeploymentCounts(store: Store): DeploymentCounts {
  const added = { n: sql<number>`deployment_counts.n + excluded.n` };
  const add = store.prepare((db, v: { environment_id: string; status: string; n: number }) =>
    db
      .insertInto("deployment_counts")
      .values({ environment_id: v.environment_id, status: v.status, n: v.n })
      .onConflict((oc) => oc.columns(["environment_id", "status"]).doUpdateSet(added)),
  );
  // Statuses only advance (pending, running, ended): transactions lock both rows in the same order and cannot deadlock.
  const move = store.prepare((db, v: { environment_id: string; from: string; to: string }) =>
    db
      .insertInto("deployment_counts")
      .values([
        { environment_id: v.environment_id, status: v.from, n: -1 },
        { environment_id: v.environment_id, status: v.to, n: 1 },
      ])
      .onConflict((oc) => oc.columns(["environment_id", "status"]).doUpdateSet(added)),
  );
  const counts = store.prepare((db, v: { environment_id: string }) =>
    db
      .selectFrom("deployment_counts")
      .select(["status", "n"])
      .where("environment_id", "=", v.environment_id)
      .where("n", ">", 0)
      .orderBy("status"),
  );
  return {
    add: (environment_id, status) => add({ environment_id, status, n: 1 }),
    remove: (environment_id, status) => add({ environment_id, status, n: -1 }),
    move: (environment_id, from, to) => move({ environment_id, from, to }),
    async read(environment_id) {
      const rows = await store.all(counts({ environment_id }));
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    },
  };
}
