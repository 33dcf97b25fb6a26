import { AutomationDefinition } from "@lakehelm/contract";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import type { MaskStored } from "../../core/secrets/stored-secrets.ts";
import type { Step } from "../../core/store/store.ts";
import { hasOpenRun } from "../../runtime/jobs/open-run.ts";
import { createSealedDefinitions, type StoredDefinition } from "./definition-secrets.ts";

/** Identifies a release, its automation and its environment. */
interface PinnedRelease {
  readonly releaseId: string;
  readonly automationId: string;
  readonly environmentId: string;
}

interface ReleasedDesign {
  readonly environmentId: string;
  readonly definition: AutomationDefinition;
}

/** Designs of former releases that are kept for each automation in each environment. */
const maxFormer = 20;

/** The definitions that releases run: pinned when the release became current, independent of later changes. */
export interface ReleaseDesigns {
  /** With its secrets; null if the release has none. */
  of(releaseId: string): Promise<AutomationDefinition | null>;
  /** Of a release of the automation, current or former, without its secrets. */
  read(automationId: string, releaseId: string): Promise<ReleasedDesign | undefined>;
  /** The newest one of each automation in an environment, as stored, by the id of its release. */
  newestIn(environmentId: string): Promise<ReadonlyMap<string, StoredDefinition>>;
  /**
   * Steps for the transaction that makes a release current. The newest designs of former releases stay to compare with,
   * without their secrets. While a run of their job is unfinished, all stay as they are: after a crash it continues with
   * the design that it started with.
   */
  pin(release: PinnedRelease, definition: AutomationDefinition, formerJob: string | null): Step[];
  /** Masks stored designs by the current rules. */
  readonly maskStored: MaskStored;
  /** Deletes the designs of the removed release and of former releases. */
  clear(automationId: string, environmentId: string): Step;
}

export function createReleaseDesigns({ store, vault }: Dependencies): ReleaseDesigns {
  const definitions = createSealedDefinitions(vault);
  const one = store.prepare((db, v: { release_id: string }) =>
    db.selectFrom("release_designs").select(["definition", "sealed"]).where("release_id", "=", v.release_id),
  );
  type Row = {
    release_id: string;
    automation_id: string;
    environment_id: string;
    definition: string;
    sealed: string | null;
  };
  const insert = store.prepare((db, v: Row) =>
    db.insertInto("release_designs").values({
      release_id: v.release_id,
      automation_id: v.automation_id,
      environment_id: v.environment_id,
      definition: v.definition,
      sealed: v.sealed,
    }),
  );
  type ReleaseScope = { automation_id: string; environment_id: string };
  const clear = store.prepare((db, v: ReleaseScope) =>
    db
      .deleteFrom("release_designs")
      .where("automation_id", "=", v.automation_id)
      .where("environment_id", "=", v.environment_id),
  );
  // Ids of releases are in the order of time.
  const clearOldest = store.prepare((db, v: ReleaseScope & { job: string }) =>
    db
      .deleteFrom("release_designs")
      .where("automation_id", "=", v.automation_id)
      .where("environment_id", "=", v.environment_id)
      .where((eb) => eb.not(hasOpenRun(v.job)))
      .where(
        "release_id",
        "not in",
        db
          .selectFrom("release_designs as newer")
          .select("newer.release_id")
          .where("newer.automation_id", "=", v.automation_id)
          .where("newer.environment_id", "=", v.environment_id)
          .orderBy("newer.release_id", "desc")
          .limit(maxFormer),
      ),
  );
  const forgetSecrets = store.prepare((db, v: ReleaseScope & { job: string }) =>
    db
      .updateTable("release_designs")
      .set({ sealed: null })
      .where("automation_id", "=", v.automation_id)
      .where("environment_id", "=", v.environment_id)
      .where((eb) => eb.not(hasOpenRun(v.job))),
  );
  const ofAutomation = store.prepare((db, v: { release_id: string; automation_id: string }) =>
    db
      .selectFrom("release_designs")
      .select(["definition", "environment_id"])
      .where("release_id", "=", v.release_id)
      .where("automation_id", "=", v.automation_id),
  );

  const all = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("release_designs").select(["release_id", "definition", "sealed"]),
  );
  const newestIn = store.prepare((db, v: { environment_id: string }) =>
    db
      .selectFrom("release_designs")
      .select(["release_id", "definition", "sealed"])
      .where(
        "release_id",
        "in",
        db
          .selectFrom("release_designs as of_automation")
          .select((eb) => eb.fn.max("of_automation.release_id").as("newest"))
          .where("of_automation.environment_id", "=", v.environment_id)
          .groupBy("of_automation.automation_id"),
      ),
  );
  const rewrite = store.prepare((db, v: Pick<Row, "release_id" | "definition" | "sealed">) =>
    db
      .updateTable("release_designs")
      .set({ definition: v.definition, sealed: v.sealed })
      .where("release_id", "=", v.release_id),
  );

  function definitionIn({ definition }: Pick<Row, "definition">): AutomationDefinition {
    const read = decodeJson(definition);
    if (!("value" in read)) throw new Error("a released definition is not JSON");
    return AutomationDefinition.check(read.value, [], []);
  }

  return {
    async of(releaseId) {
      const row = await store.one(one({ release_id: releaseId }));
      return row ? definitions.open(definitionIn(row), row.sealed) : null;
    },
    async read(automationId, releaseId) {
      const row = await store.one(ofAutomation({ release_id: releaseId, automation_id: automationId }));
      return row && { environmentId: row.environment_id, definition: definitionIn(row) };
    },
    async newestIn(environmentId) {
      const found = await store.all(newestIn({ environment_id: environmentId }));
      return new Map(found.map((row) => [row.release_id, { masked: definitionIn(row), sealed: row.sealed }]));
    },
    async maskStored(context) {
      const steps = (await store.all(all({}))).flatMap((row) => {
        const before = definitionIn(row);
        const { masked, sealed } = definitions.reseal({ masked: before, sealed: row.sealed });
        if (encodeJson(masked) === encodeJson(before)) return [];
        return [rewrite({ release_id: row.release_id, definition: encodeJson(masked), sealed })];
      });
      if (steps.length > 0) await store.apply({ context, steps, events: [] });
      return steps.length;
    },
    pin({ releaseId, automationId, environmentId }, definition, formerJob) {
      const scope = { automation_id: automationId, environment_id: environmentId };
      const { masked, sealed } = definitions.seal(definition);
      return [
        clearOldest({ ...scope, job: formerJob ?? "" }),
        forgetSecrets({ ...scope, job: formerJob ?? "" }),
        insert({ ...scope, release_id: releaseId, definition: encodeJson(masked), sealed }),
      ];
    },
    clear: (automationId, environmentId) =>
      clear({ automation_id: automationId, environment_id: environmentId }),
  };
}
