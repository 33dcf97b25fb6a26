import { AutomationDefinition } from "@lakehelm/contract";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import { type ExpressionBuilder, sql } from "kysely";
import type { Dependencies } from "../../core/dependencies.ts";
import type { MaskStored } from "../../core/secrets/stored-secrets.ts";
import { createLineageRows, type DesignKey } from "../../core/store/lineage-rows.ts";
import type { ChangeContext, Step } from "../../core/store/store.ts";
import { uncounted } from "../../core/store/stored-usage.ts";
import type { Tables } from "../../core/store/tables.ts";
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

/** The number of designs of former releases that are kept for each automation in each environment. */
const maxFormer = 20;

/** The definitions that releases run: pinned when the release became current, independent of later changes. */
export interface ReleaseDesigns {
  /** The definition with its secrets; null if the release has none. */
  of(releaseId: string): Promise<AutomationDefinition | null>;
  /** The design of a current or former release of the automation, without secrets. */
  read(automationId: string, releaseId: string): Promise<ReleasedDesign | undefined>;
  /** The design of a release as it is stored. */
  stored(releaseId: string): Promise<StoredDefinition | undefined>;
  /**
   * Steps for the transaction that makes a release current. The newest designs of former releases are kept for
   * comparison, without their secrets. While the former job has an unfinished run, all designs stay unchanged: after a
   * crash, the run continues with the design that it started with.
   */
  pin(release: PinnedRelease, definition: AutomationDefinition, formerJob: string | null): Step[];
  /** Masks stored designs by the current rules. */
  readonly maskStored: MaskStored;
  /** Records what releases of an earlier version of Lakehelm read and write. */
  fillLineage(context: ChangeContext): Promise<void>;
  /** Deletes the designs of the removed release and of former releases. */
  clear(automationId: string, environmentId: string): Step[];
}

export function createReleaseDesigns({ store, vault }: Dependencies): ReleaseDesigns {
  const definitions = createSealedDefinitions(vault);
  const lineage = createLineageRows(store);
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
  /**
   * Stored usage: before some designs of an automation in an environment change, the bytes of all of them are
   * subtracted, and afterwards the bytes of all that are left are added again.
   */
  const designsSize = (eb: Pick<ExpressionBuilder<Tables, "stored_usage">, "selectFrom">, v: ReleaseScope) =>
    sql<number>`coalesce((${eb
      .selectFrom("release_designs")
      .select(sql<number>`sum(octet_length(definition) + coalesce(octet_length(sealed), 0))`.as("bytes"))
      .where("automation_id", "=", v.automation_id)
      .where("environment_id", "=", v.environment_id)}), 0)`;
  const counting = (sign: 1 | -1) =>
    uncounted(store, "releases", (eb, v: ReleaseScope) => ({
      n: sql.lit(0),
      bytes: sql<number>`${sql.lit(sign)} * ${designsSize(eb, v)}`,
      scopes: sql<string>`'environment/' || ${v.environment_id}`,
    }));
  const uncount = counting(1);
  const recount = counting(-1);
  const ofAutomation = store.prepare((db, v: { release_id: string; automation_id: string }) =>
    db
      .selectFrom("release_designs")
      .select(["definition", "environment_id"])
      .where("release_id", "=", v.release_id)
      .where("automation_id", "=", v.automation_id),
  );

  const all = store.prepare((db, _: Record<string, never>) =>
    db
      .selectFrom("release_designs")
      .select(["release_id", "automation_id", "environment_id", "definition", "sealed"]),
  );
  const keys = store.prepare((db, _: Record<string, never>) =>
    db
      .selectFrom("release_designs")
      .select(["release_id", "automation_id", "environment_id"])
      .orderBy("release_id"),
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
    async stored(releaseId) {
      const row = await store.one(one({ release_id: releaseId }));
      return row && { masked: definitionIn(row), sealed: row.sealed };
    },
    async maskStored(context) {
      const steps = (await store.all(all({}))).flatMap((row) => {
        const before = definitionIn(row);
        const { masked, sealed } = definitions.reseal({ masked: before, sealed: row.sealed });
        if (encodeJson(masked) === encodeJson(before)) return [];
        const { release_id, automation_id, environment_id } = row;
        const scope = { automation_id, environment_id };
        return [
          uncount(scope),
          rewrite({ release_id, definition: encodeJson(masked), sealed }),
          recount(scope),
        ];
      });
      if (steps.length > 0) await store.apply({ context, steps, events: [] });
      return steps.length / 3;
    },
    pin({ releaseId, automationId, environmentId }, definition, formerJob) {
      const scope = { automation_id: automationId, environment_id: environmentId };
      const { masked, sealed } = definitions.seal(definition);
      const row = { ...scope, release_id: releaseId, definition: encodeJson(masked), sealed };
      const bytes = Buffer.byteLength(row.definition) + Buffer.byteLength(sealed ?? "");
      return [
        uncount(scope),
        clearOldest({ ...scope, job: formerJob ?? "" }),
        forgetSecrets({ ...scope, job: formerJob ?? "" }),
        recount(scope),
        { ...insert(row), stored: { kind: "releases", environmentId, chargedTo: null, n: 0, bytes } },
        lineage.putDesign({ automationId, environmentId }, masked),
      ];
    },
    async fillLineage(context) {
      const nameOf = ({ automationId, environmentId }: DesignKey) => `${environmentId} ${automationId}`;
      const known = new Set((await lineage.designs()).map(nameOf));
      const newest = new Map<string, DesignKey & { readonly releaseId: string }>();
      // Ids of releases are in the order of time.
      for (const { release_id: releaseId, automation_id, environment_id } of await store.all(keys({}))) {
        const key = { automationId: automation_id, environmentId: environment_id, releaseId };
        if (!known.has(nameOf(key))) newest.set(nameOf(key), key);
      }
      for (const { releaseId, ...key } of newest.values()) {
        const design = await store.one(one({ release_id: releaseId }));
        if (!design) continue;
        const steps = [lineage.putDesign(key, definitionIn(design))];
        await store.apply({ context, steps, events: [] });
      }
    },
    clear: (automationId, environmentId) => [
      uncount({ automation_id: automationId, environment_id: environmentId }),
      clear({ automation_id: automationId, environment_id: environmentId }),
      lineage.removeDesign({ automationId, environmentId }),
    ],
  };
}
