import type { Environment } from "@lakehelm/contract";
import { secretMask } from "@lakehelm/contract/connections";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import {
  type CredentialFields,
  misplacedReferences,
  pathText,
  referencesIn,
  withValues,
} from "../../core/secrets/references.ts";
import { createScopeLimits, type ScopeLimit } from "../../core/secrets/scope-limits.ts";
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
  /** The scopes with a secret in an environment, in order, as far as a caller with this role may refer to them. */
  scopes(environment: Environment, role: string): Promise<string[]>;
  /** Who may refer to the secrets of a scope, and in which environments they may be used. */
  limitOf(scope: string): Promise<ScopeLimit>;
  limit(scope: string, limit: ScopeLimit, context: ChangeContext): Promise<void>;
  /** Only for platforms. Throws 409 if the scope is limited to other environments. */
  resolve(environmentId: string, scope: string, key: string): Promise<string | undefined>;
  /**
   * Only for platforms: a tree with its `{{secrets/<scope>/<key>}}` references resolved. Throws 409 if one is missing,
   * or not in a credential field: it would become a path, a name or data.
   */
  resolveReferences(environmentId: string, tree: unknown, isCredential: CredentialFields): Promise<unknown>;
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
  const scopesIn = store.prepare((db, v: { environment_id: string }) =>
    db.selectFrom("secrets").select("scope").distinct().where("environment_id", "=", v.environment_id),
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

  const limits = createScopeLimits(store);

  async function resolve(environmentId: string, scope: string, key: string): Promise<string | undefined> {
    await limits.requireEnvironment(scope, environmentId);
    return storedValue(environmentId, scope, key);
  }

  async function storedValue(environmentId: string, scope: string, key: string): Promise<string | undefined> {
    const found = await store.one(one({ environment_id: environmentId, scope, key }));
    return found && vault.decrypt(found.value);
  }

  return {
    async put({ id, name }, scope, key, value, context) {
      const location = locationOf(id, scope, key);
      if (value === secretMask)
        throw conflict(`The value is the mask ${secretMask}. Send the secret itself.`);
      await retryOnConflict(async () => {
        await limits.requireEnvironment(scope, id);
        if ((await storedValue(id, scope, key)) === value) return;
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
    async scopes({ id }, role) {
      const found = (await store.all(scopesIn({ environment_id: id }))).map(({ scope }) => scope).sort();
      const visible = await Promise.all(found.map((scope) => limits.mayRefer(scope, id, role)));
      return found.filter((_, at) => visible[at]);
    },
    async limitOf(scope) {
      requireName("scope", scope);
      return limits.of(scope);
    },
    async limit(scope, limit, context) {
      requireName("scope", scope);
      await limits.set(scope, limit, context);
    },
    resolve,
    async resolveReferences(environmentId, tree, isCredential) {
      const [misplaced] = misplacedReferences(tree, isCredential);
      if (misplaced) throw conflict(`${pathText(misplaced)}: ${onlyInCredentials}`);
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

const onlyInCredentials = "A reference to a secret is accepted only in a credential field.";

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
