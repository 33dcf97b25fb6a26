import type { Environment } from "@lakehelm/contract";
import { withEnvironment } from "@lakehelm/contract/changes";
import { secretHost, secretMask } from "@lakehelm/contract/connections";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import {
  type CredentialFields,
  misplacedReferences,
  pathText,
  placedReferences,
  withValues,
} from "../../core/secrets/references.ts";
import { createScopeLimits, type ScopeLimit, type ScopeLimits } from "../../core/secrets/scope-limits.ts";
import type { DestinationAt, SecretDestination } from "../../core/secrets/secret-destination.ts";
import type { StoredChange } from "../../core/store/change.ts";
import type { ChangeContext, Step } from "../../core/store/store.ts";
import { platformContext } from "../../core/system.ts";
import type { Environments } from "../environments/environments.ts";

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
  limitOf(scope: string, environmentId?: string): Promise<ScopeLimit>;
  limit(...change: Parameters<ScopeLimits["set"]>): Promise<void>;
  /**
   * Only for platforms. Throws 409 if the scope may not be used in this environment, or not be sent to this
   * destination.
   */
  resolve(
    environmentId: string,
    scope: string,
    key: string,
    to: SecretDestination,
  ): Promise<string | undefined>;
  /** Says that a secret is missing, and the command that stores it. */
  missing(environmentId: string, scope: string, key: string): Promise<string>;
  /**
   * Only for platforms: a tree with its `{{secrets/<scope>/<key>}}` references resolved. Throws 409 if a secret is
   * missing, may not be sent to the destination, or is not in a credential field: it would become a path, a name or
   * data.
   */
  resolveReferences(
    environmentId: string,
    tree: unknown,
    isCredential: CredentialFields,
    destinationAt: DestinationAt,
  ): Promise<unknown>;
}

export function createSecretStore(
  { store, vault, system }: Dependencies,
  environments: Pick<Environments, "find">,
): SecretStore {
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
  const insert = store.prepare((db, v: SecretLocation & { value: string; updated_at: string }) =>
    db.insertInto("secrets").values({
      environment_id: v.environment_id,
      scope: v.scope,
      key: v.key,
      value: v.value,
      updated_at: v.updated_at,
    }),
  );
  const update = store.prepare(
    (db, v: SecretLocation & { value: string; updated_at: string; before: string }) =>
      db
        .updateTable("secrets")
        .set({ value: v.value, updated_at: v.updated_at })
        .where("environment_id", "=", v.environment_id)
        .where("scope", "=", v.scope)
        .where("key", "=", v.key)
        .where("value", "=", v.before),
  );
  const drop = store.prepare((db, v: SecretLocation & { value: string }) =>
    db
      .deleteFrom("secrets")
      .where("environment_id", "=", v.environment_id)
      .where("scope", "=", v.scope)
      .where("key", "=", v.key)
      .where("value", "=", v.value),
  );

  const limits = createScopeLimits(store);

  const resolve: SecretStore["resolve"] = async (environmentId, scope, key, to) => {
    await limits.requireEnvironment(scope, environmentId);
    const value = await storedValue(environmentId, scope, key);
    if (value !== undefined) {
      await limits.requireDestination({ scope, environmentId }, to, value, platformContext(system));
    }
    return value;
  };

  async function missing(environmentId: string, scope: string, key: string): Promise<string> {
    const environment = await environments.find(environmentId);
    const command = `lakehelm secrets put ${scope} ${key}`;
    const typed = environment ? withEnvironment(command, environment.doc.name) : command;
    return `There is no secret ${scope}/${key} in this environment. To store it: ${typed}`;
  }

  async function storedValue(environmentId: string, scope: string, key: string): Promise<string | undefined> {
    const found = await store.one(one({ environment_id: environmentId, scope, key }));
    return found && vault.decrypt(found.value);
  }

  /** Secrets are charged only to the environment, because only admins store them. */
  const storedChange = (environmentId: string, n: number, bytes: number): StoredChange => ({
    kind: "secrets",
    environmentId,
    chargedTo: null,
    n,
    bytes,
  });

  return {
    async put({ id, name }, scope, key, value, context) {
      const location = locationOf(id, scope, key);
      if (value === secretMask)
        throw conflict(`The value is the mask ${secretMask}. Send the secret itself.`);
      await store.retryOnConflict(async () => {
        await limits.requireEnvironment(scope, id);
        const before = await store.one(one(location));
        if (before && vault.decrypt(before.value) === value) return;
        const environmentMissing = () => notFound(`There is no environment "${name}".`);
        const row = { ...location, value: vault.encrypt(value), updated_at: context.time };
        const bytes = Buffer.byteLength(row.value);
        const step: Step = before
          ? {
              ...update({ ...row, before: before.value }),
              expect: 1,
              stored: storedChange(id, 0, bytes - Buffer.byteLength(before.value)),
            }
          : { ...insert(row), stored: storedChange(id, 1, bytes) };
        await store.apply({
          context,
          steps: [{ ...step, refused: { referenced: environmentMissing } }],
          events: [eventOf("stored", location)],
        });
      });
    },
    async remove({ id, name }, scope, key, context) {
      const location = locationOf(id, scope, key);
      await store.retryOnConflict(async () => {
        const before = await store.one(one(location));
        if (!before) throw notFound(`There is no secret ${scope}/${key} in the environment "${name}".`);
        const stored = storedChange(id, -1, -Buffer.byteLength(before.value));
        await store.apply({
          context,
          steps: [{ ...drop({ ...location, value: before.value }), expect: 1, stored }],
          events: [eventOf("deleted", location)],
        });
      });
    },
    async names({ id }, scope) {
      requireName("scope", scope);
      const found = await store.all(ofScope({ environment_id: id, scope }));
      // Sorted here, because SQLite and PostgreSQL order text differently.
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    async scopes({ id }, role) {
      const found = (await store.all(scopesIn({ environment_id: id }))).map(({ scope }) => scope).sort();
      const visible = await Promise.all(found.map((scope) => limits.mayRefer(scope, id, role)));
      return found.filter((_, at) => visible[at]);
    },
    async limitOf(scope, environmentId) {
      requireName("scope", scope);
      return limits.of(scope, environmentId);
    },
    async limit(scope, limit, context) {
      requireName("scope", scope);
      const { hosts } = limit;
      const listed = hosts?.map((entry) => {
        const host = secretHost(entry);
        if (host !== undefined) return host;
        throw conflict(
          `hosts: ${JSON.stringify(entry.slice(0, 100))} is not a host, such as db.example.com, db.example.com:6432 or *.example.com. programs stands for code of apps, agents and tasks, and * for every host.`,
        );
      });
      await limits.set(scope, { ...limit, ...(listed && { hosts: [...new Set(listed)] }) }, context);
    },
    resolve,
    missing,
    async resolveReferences(environmentId, tree, isCredential, destinationAt) {
      const [misplaced] = misplacedReferences(tree, isCredential);
      if (misplaced) throw conflict(`${pathText(misplaced)}: ${onlyInCredentials}`);
      const values = new Map<string, string>();
      for (const { reference, path, text } of placedReferences(tree)) {
        const { scope, key } = reference;
        const value = await resolve(environmentId, scope, key, destinationAt(path, text));
        if (value === undefined) throw conflict(await missing(environmentId, scope, key));
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
