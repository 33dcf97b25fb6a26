import { ScheduleOverride } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Step, Store } from "../../core/store/store.ts";

/** Pauses, stored separately from the schedules: at most one per automation and environment. */
export interface Overrides {
  get(environmentId: string, automationId: string): Promise<ScheduleOverride | undefined>;
  all(): Promise<readonly Override[]>;
  put(environmentId: string, automationId: string, override: ScheduleOverride): Step;
  /** Replaces an override. Like `remove`, it requires that the override exists. */
  replace(environmentId: string, automationId: string, override: ScheduleOverride): Step;
  /** Requires that the override exists: after a concurrent change, the rule is retried. */
  remove(environmentId: string, automationId: string): Step;
  /** For the removal of a release: succeeds whether or not an override exists. */
  clear(environmentId: string, automationId: string): Step;
}

interface Override {
  readonly environmentId: string;
  readonly automationId: string;
  readonly override: ScheduleOverride;
}

export function createOverrides(store: Store): Overrides {
  type Key = { environment_id: string; automation_id: string };
  const one = store.prepare((db, v: Key) =>
    db
      .selectFrom("overrides")
      .select("doc")
      .where("environment_id", "=", v.environment_id)
      .where("automation_id", "=", v.automation_id),
  );
  const all = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("overrides").selectAll().orderBy("environment_id").orderBy("automation_id"),
  );
  const insert = store.prepare((db, v: Key & { doc: string }) =>
    db
      .insertInto("overrides")
      .values({ environment_id: v.environment_id, automation_id: v.automation_id, doc: v.doc }),
  );
  const replace = store.prepare((db, v: Key & { doc: string }) =>
    db
      .updateTable("overrides")
      .set({ doc: v.doc })
      .where("environment_id", "=", v.environment_id)
      .where("automation_id", "=", v.automation_id),
  );
  const remove = store.prepare((db, v: Key) =>
    db
      .deleteFrom("overrides")
      .where("environment_id", "=", v.environment_id)
      .where("automation_id", "=", v.automation_id),
  );
  const keyed = (environment_id: string, automation_id: string) => ({ environment_id, automation_id });

  return {
    async get(environmentId, automationId) {
      const row = await store.one(one(keyed(environmentId, automationId)));
      return row && readOverride(row.doc);
    },
    async all() {
      const rows = await store.all(all({}));
      return rows.map(({ environment_id, automation_id, doc }) => ({
        environmentId: environment_id,
        automationId: automation_id,
        override: readOverride(doc),
      }));
    },
    put: (environmentId, automationId, override) =>
      insert({ ...keyed(environmentId, automationId), doc: encodeJson(override) }),
    replace: (environmentId, automationId, override) => ({
      ...replace({ ...keyed(environmentId, automationId), doc: encodeJson(override) }),
      expect: 1,
    }),
    remove: (environmentId, automationId) => ({ ...remove(keyed(environmentId, automationId)), expect: 1 }),
    clear: (environmentId, automationId) => remove(keyed(environmentId, automationId)),
  };
}

const readOverride = (text: string) => ScheduleOverride.check(JSON.parse(text), [], []);
