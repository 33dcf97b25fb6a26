import { encodeJson } from "@lakehelm/contract/schema";
import type { Step, Store } from "../../core/store/store.ts";
import { unrecorded } from "../../core/system.ts";
import { parsed } from "../jobs/job-rows.ts";
import type { Settle } from "./platform.ts";

/** Something that was installed on a platform for a resource. */
export interface InstalledThing {
  readonly environmentId: string;
  /** `connector/<id>` */
  readonly subject: string;
  /** What was installed: `job`, `pipeline`, … A resource has one of each. */
  readonly part: string;
  /** The name of the resource. */
  readonly name: string;
  /** Its id on the platform. */
  readonly reference: string;
  /** The settings as they were sent. They contain no secret. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly installedAt: string;
}

/**
 * What was last installed on a platform, to compare it with what is there now. The stored settings are needed because
 * the generators of a later version may make something else of the same definition, and that is not a change that
 * somebody made on the platform.
 */
export type InstalledSettings = ReturnType<typeof createInstalledSettings>;

export function createInstalledSettings(store: Store, settle: Settle) {
  type Row = {
    environment_id: string;
    subject: string;
    part: string;
    name: string;
    reference: string;
    settings: string;
    installed_at: string;
  };
  const upsert = store.prepare((db, v: Row) => {
    const { environment_id, subject, part, name, reference, settings, installed_at } = v;
    return db
      .insertInto("installed_settings")
      .values({ environment_id, subject, part, name, reference, settings, installed_at })
      .onConflict((oc) =>
        oc
          .columns(["environment_id", "subject", "part"])
          .doUpdateSet({ name, reference, settings, installed_at }),
      );
  });
  const remove = store.prepare((db, v: { environment_id: string; subject: string }) =>
    db
      .deleteFrom("installed_settings")
      .where("environment_id", "=", v.environment_id)
      .where("subject", "=", v.subject),
  );
  const one = store.prepare((db, v: { environment_id: string; subject: string; part: string }) =>
    db
      .selectFrom("installed_settings")
      .selectAll()
      .where("environment_id", "=", v.environment_id)
      .where("subject", "=", v.subject)
      .where("part", "=", v.part),
  );
  const inEnvironment = store.prepare((db, v: { environment_id: string }) =>
    db.selectFrom("installed_settings").selectAll().where("environment_id", "=", v.environment_id),
  );
  const environments = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("installed_settings").select("environment_id").distinct(),
  );
  const write = (step: Step) => store.apply({ context: unrecorded, steps: [step], events: [] });

  return {
    /** Records an installation. `kept`: fields that somebody has changed on the platform, and that were left so. */
    async put(thing: InstalledThing, kept: readonly string[] = []): Promise<void> {
      const { environmentId, subject, settings, installedAt, part, name, reference } = thing;
      await write(
        upsert({
          environment_id: environmentId,
          subject,
          part,
          name,
          reference,
          settings: encodeJson(settings),
          installed_at: installedAt,
        }),
      );
      await settle(environmentId, subject, (field) => field !== null && kept.includes(field));
    },
    async get(environmentId: string, subject: string, part: string): Promise<InstalledThing | undefined> {
      const row = await store.one(one({ environment_id: environmentId, subject, part }));
      return row && thingOf(row);
    },
    /** Records that fields were changed; other fields stay as they are on the platform. */
    async change(
      { environmentId, subject, part }: Pick<InstalledThing, "environmentId" | "subject" | "part">,
      change: (settings: InstalledThing["settings"]) => InstalledThing["settings"],
      installedAt: string,
      isChanged: (field: string) => boolean,
    ): Promise<void> {
      const row = await store.one(one({ environment_id: environmentId, subject, part }));
      if (row) {
        const settings = encodeJson(change(thingOf(row).settings));
        await write(upsert({ ...row, settings, installed_at: installedAt }));
      }
      await settle(environmentId, subject, (field) => field === null || !isChanged(field));
    },
    async remove(environmentId: string, subject: string): Promise<void> {
      await write(remove({ environment_id: environmentId, subject }));
      await settle(environmentId, subject, () => false);
    },
    in: async (environmentId: string): Promise<InstalledThing[]> =>
      (await store.all(inEnvironment({ environment_id: environmentId }))).map(thingOf),
    environments: async () => (await store.all(environments({}))).map(({ environment_id }) => environment_id),
  };

  function thingOf({ environment_id, installed_at, settings, ...row }: Row): InstalledThing {
    return {
      ...row,
      environmentId: environment_id,
      settings: parsed(settings) as InstalledThing["settings"],
      installedAt: installed_at,
    };
  }
}
