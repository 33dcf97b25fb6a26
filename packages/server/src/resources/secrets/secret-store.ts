import type { Environment } from "@lakehelm/contract";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { referencesIn, withValues } from "../../core/secrets/references.ts";
import { type ChangeContext, retryOnConflict } from "../../core/store/store.ts";

interface SecretName {
  readonly key: string;
  readonly updated_at: string;
}

/** The write-only secret store of an environment: only the platform can read values. */
export interface SecretStore {
  put(
    environment: Environment,
    scope: string,
    key: string,
    value: string,
    context: ChangeContext,
  ): Promise<void>;
  remove(environment: Environment, scope: string, key: string, context: ChangeContext): Promise<void>;
  names(environment: Environment, scope: string): Promise<SecretName[]>;
  /** Only for platforms. */
  resolve(environmentId: string, scope: string, key: string): Promise<string | undefined>;
  /**
   * Only for platforms: a tree with its `{{secrets/<scope>/<key>}}` references resolved; throws 409 if one is missing.
   */
  resolveReferences(environmentId: string, tree: unknown): Promise<unknown>;
}

export function createSecretStore({ store, vault }: Dependencies): SecretStore {
  type SecretLocation = { environment_id: string; scope: string; key: string };
  const one = store.prepare((db, v: SecretLocation) =>
    db
      .selectFrom("secrets")
      .select("value")
      .where("environment_id", "=", v.environment_id)
      .where("scope", "=", v.scope)
      .where("key", "=", v.key),
  );
  const ofScope = store.prepare((db, v: { environment_id: string; scope: string }) =>
    db
      .selectFrom("secrets")
      .select(["key", "updated_at"])
      .where("environment_id", "=", v.environment_id)
      .where("scope", "=", v.scope),
  );
  const upsert = store.prepare((db, v: SecretLocation & { value: string; updated_at: string }) =>
    db
      .insertInto("secrets")
      .values({
        environment_id: v.environment_id,
        scope: v.scope,
        key: v.key,
        value: v.value,
        updated_at: v.updated_at,
      })
      .onConflict((oc) =>
        oc.columns(["environment_id", "scope", "key"]).doUpdateSet((eb) => ({
          value: eb.ref("excluded.value"),
          updated_at: eb.ref("excluded.updated_at"),
        })),
      ),
  );
  const drop = store.prepare((db, v: SecretLocation) =>
    db
      .deleteFrom("secrets")
      .where("environment_id", "=", v.environment_id)
      .where("scope", "=", v.scope)
      .where("key", "=", v.key),
  );

  async function resolve(environmentId: string, scope: string, key: string): Promise<string | undefined> {
    const found = await store.one(one({ environment_id: environmentId, scope, key }));
    return found && vault.decrypt(found.value);
  }

  return {
    async put({ id, name }, scope, key, value, context) {
      const location = locationOf(id, scope, key);
      await retryOnConflict(async () => {
        if ((await resolve(id, scope, key)) === value) return;
        const environmentMissing = () => notFound(`There is no environment "${name}".`);
        const step = upsert({ ...location, value: vault.encrypt(value), updated_at: context.time });
        await store.apply({
          context,
          steps: [{ ...step, refused: { referenced: environmentMissing } }],
          events: [eventOf("stored", location)],
        });
      });
    },
    async remove({ id, name }, scope, key, context) {
      const location = locationOf(id, scope, key);
      const missing = () => notFound(`There is no secret ${scope}/${key} in the environment "${name}".`);
      await store.apply({
        context,
        steps: [{ ...drop(location), expect: 1, refused: { missed: missing } }],
        events: [eventOf("deleted", location)],
      });
    },
    async names({ id }, scope) {
      requireName("scope", scope);
      const found = await store.all(ofScope({ environment_id: id, scope }));
      // Sorted here: the databases differ in how they order text.
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    resolve,
    async resolveReferences(environmentId, tree) {
      const values = new Map<string, string>();
      for (const { scope, key } of referencesIn(tree)) {
        const value = await resolve(environmentId, scope, key);
        if (value === undefined) throw conflict(`There is no secret ${scope}/${key} in this environment.`);
        values.set(`${scope}/${key}`, value);
      }
      return withValues(tree, ({ scope, key }) => values.get(`${scope}/${key}`) as string);
    },
  };
}

function locationOf(environmentId: string, scope: string, key: string) {
  requireName("scope", scope);
  requireName("key", key);
  return { environment_id: environmentId, scope, key };
}

function requireName(what: string, name: string): void {
  if (/^[A-Za-z0-9_.-]{1,128}$/.test(name)) return;
  throw conflict(`A secret's ${what} must have 1 to 128 characters: letters, digits, "_", "." or "-".`);
}

/** The value is never part of an event. */
const eventOf = (what: string, location: { environment_id: string; scope: string; key: string }) => ({
  kind: `secret.${what}`,
  subject: `secret/${location.environment_id}/${location.scope}/${location.key}`,
  data: location,
});
