import type { PlanKind } from "@lakehelm/contract";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import { sql } from "kysely";
import type { Dependencies } from "../../core/dependencies.ts";
import type { Step } from "../../core/store/store.ts";
import { uncounted } from "../../core/store/stored-usage.ts";
import type { Tables } from "../../core/store/tables.ts";
import type { DeclaredDefinition } from "../planned-definition.ts";
import { nodeOf } from "./lineage.ts";

type AppliedRow = Tables["applied_resources"];

/** A resource as it was last applied, without its definition. */
export type AppliedResource = Omit<AppliedRow, "definition">;

/** The resources that were last applied to each environment. */
export interface AppliedRows {
  /** The resources that were last applied, by kind and name. */
  inEnvironment(environmentId: string): Promise<ReadonlyMap<string, AppliedResource>>;
  definition(environmentId: string, kind: string, name: string): Promise<DeclaredDefinition | undefined>;
  /** The environments to which anything was applied. */
  environments(): Promise<readonly string[]>;
  put(row: AppliedResource, declared: DeclaredDefinition): Step[];
  remove(environmentId: string, kind: string, name: string): Step[];
}

type Key = Pick<AppliedRow, "environment_id" | "kind" | "name">;

export function createAppliedRows({ store, vault }: Pick<Dependencies, "store" | "vault">): AppliedRows {
  const all = store.prepare((db, v: { environment_id: string }) =>
    db
      .selectFrom("applied_resources")
      .select([
        "environment_id",
        "kind",
        "name",
        "project",
        "plan_id",
        "commit_id",
        "design_hash",
        "digest",
        "applied_at",
        "applied_by",
      ])
      .where("environment_id", "=", v.environment_id),
  );
  const one = store.prepare((db, v: Key) =>
    db
      .selectFrom("applied_resources")
      .select("definition")
      .where("environment_id", "=", v.environment_id)
      .where("kind", "=", v.kind)
      .where("name", "=", v.name),
  );
  const environments = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("applied_resources").select("environment_id").distinct(),
  );
  const upsert = store.prepare((db, v: AppliedRow) =>
    db
      .insertInto("applied_resources")
      .values({
        environment_id: v.environment_id,
        kind: v.kind,
        name: v.name,
        project: v.project,
        plan_id: v.plan_id,
        commit_id: v.commit_id,
        design_hash: v.design_hash,
        digest: v.digest,
        definition: v.definition,
        applied_at: v.applied_at,
        applied_by: v.applied_by,
      })
      .onConflict((oc) =>
        oc.columns(["environment_id", "kind", "name"]).doUpdateSet((eb) => ({
          project: eb.ref("excluded.project"),
          plan_id: eb.ref("excluded.plan_id"),
          commit_id: eb.ref("excluded.commit_id"),
          design_hash: eb.ref("excluded.design_hash"),
          digest: eb.ref("excluded.digest"),
          definition: eb.ref("excluded.definition"),
          applied_at: eb.ref("excluded.applied_at"),
          applied_by: eb.ref("excluded.applied_by"),
        })),
      ),
  );
  const remove = store.prepare((db, v: Key) =>
    db
      .deleteFrom("applied_resources")
      .where("environment_id", "=", v.environment_id)
      .where("kind", "=", v.kind)
      .where("name", "=", v.name),
  );

  const uncount = uncounted(store, "plans", (eb, v: Key) => ({
    n: sql.lit(0),
    bytes: sql<number>`coalesce((${eb
      .selectFrom("applied_resources")
      .select((row) => row.fn<number>("octet_length", ["definition"]).as("bytes"))
      .where("environment_id", "=", v.environment_id)
      .where("kind", "=", v.kind)
      .where("name", "=", v.name)}), 0)`,
    scopes: sql<string>`'environment/' || ${v.environment_id}`,
  }));

  return {
    async inEnvironment(environmentId) {
      const rows = await store.all(all({ environment_id: environmentId }));
      return new Map(rows.map((row) => [nodeOf(row.kind as PlanKind, row.name), row]));
    },
    async definition(environmentId, kind, name) {
      const row = await store.one(one({ environment_id: environmentId, kind, name }));
      return row && (decrypted(vault, row.definition) as DeclaredDefinition);
    },
    environments: async () => (await store.all(environments({}))).map((row) => row.environment_id),
    put({ environment_id, kind, name, ...row }, declared) {
      const key = { environment_id, kind, name };
      const definition = vault.encrypt(encodeJson(declared));
      const bytes = Buffer.byteLength(definition);
      const stored = { kind: "plans", environmentId: environment_id, chargedTo: null, n: 0, bytes } as const;
      return [uncount(key), { ...upsert({ ...row, ...key, definition }), stored }];
    },
    remove(environmentId, kind, name) {
      const key = { environment_id: environmentId, kind, name };
      return [uncount(key), remove(key)];
    },
  };
}

/** A value that was stored as encrypted JSON. */
export function decrypted({ decrypt }: Pick<Dependencies["vault"], "decrypt">, text: string): unknown {
  const read = decodeJson(decrypt(text));
  if (!("value" in read)) throw new Error("A stored definition is not valid JSON.");
  return read.value;
}
