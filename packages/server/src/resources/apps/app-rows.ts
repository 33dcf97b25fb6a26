import type { App } from "@lakehelm/contract";
import { type Collection, collection, type Stored } from "../../core/store/collection.ts";
import type { Step, Store } from "../../core/store/store.ts";
import { type CodeOwner, hasCode, isRecordedAsRunning, isRecordedAsWanted } from "../agents/agent-rows.ts";

export interface AppRows extends Collection<App> {
  /** The apps of an agent in one environment, oldest first. */
  linkedIn(agentId: string, environmentId: string): Promise<Stored<App>[]>;
  firstLinked(agentId: string): Promise<Stored<App> | undefined>;
  /** A step that fails if an app is linked to the agent on commit. */
  noneLinked(agentId: string): Step;
  /** The apps that are recorded as running. */
  running(): Promise<App[]>;
  /** The apps that should run. */
  wanted(): Promise<App[]>;
  /** The apps of an environment with code of their own. */
  withCode(environmentId: string): Promise<CodeOwner[]>;
}

/** The column `owner` has the id of the app's agent. */
export function createAppRows(store: Store): AppRows {
  const rows = collection<App>(store, "apps");
  const linkedIn = store.prepare((db, v: { owner: string; environment_id: string }) =>
    db
      .selectFrom("apps")
      .select("id")
      .where("owner", "=", v.owner)
      .where("environment_id", "=", v.environment_id)
      .orderBy("position"),
  );
  const firstLinked = store.prepare((db, v: { owner: string }) =>
    db.selectFrom("apps").select("id").where("owner", "=", v.owner).orderBy("position").limit(1),
  );
  const linked = store.prepare((db, v: { owner: string }) =>
    db
      .updateTable("apps")
      .set((eb) => ({ owner: eb.ref("owner") }))
      .where("owner", "=", v.owner),
  );

  const coded = store.prepare((db, v: { environment_id: string }) =>
    db
      .selectFrom("apps")
      .select("doc")
      .where("environment_id", "=", v.environment_id)
      .where("doc", "like", hasCode),
  );

  const running = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("apps").select("doc").where("doc", "like", isRecordedAsRunning),
  );

  const wanted = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("apps").select("doc").where("doc", "like", isRecordedAsWanted),
  );

  return {
    ...rows,
    wanted: async () => (await store.all(wanted({}))).map(({ doc }) => JSON.parse(doc)),
    running: async () => (await store.all(running({}))).map(({ doc }) => JSON.parse(doc)),
    withCode: async (environmentId) =>
      (await store.all(coded({ environment_id: environmentId }))).map(({ doc }) => JSON.parse(doc)),
    async linkedIn(owner, environmentId) {
      const ids = await store.all(linkedIn({ owner, environment_id: environmentId }));
      const found = await Promise.all(ids.map(({ id }) => rows.get(id)));
      return found.flatMap((app) => app ?? []);
    },
    async firstLinked(owner) {
      const first = await store.one(firstLinked({ owner }));
      return first && rows.get(first.id);
    },
    noneLinked: (owner) => ({ ...linked({ owner }), expect: 0 }),
  };
}
