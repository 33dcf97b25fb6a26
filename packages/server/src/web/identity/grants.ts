import type { EnvironmentRole } from "@lakehelm/contract";
import { sql } from "kysely";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound } from "../../core/errors.ts";
import type { StoredChange } from "../../core/store/change.ts";
import type { ChangeContext, Step } from "../../core/store/store.ts";
import { uncounted } from "../../core/store/stored-usage.ts";
import type { Tables } from "../../core/store/tables.ts";
import type { Role } from "../http/handler.ts";

/** The roles of a user in environments, by environment id; undefined if there are none. */
export type GrantsOf = (username: string) => Promise<ReadonlyMap<string, Role> | undefined>;

/** Roles that users have in single environments, whichever workspace the users are from. */
export interface Grants {
  readonly of: GrantsOf;
  inEnvironment(environmentId: string): Promise<EnvironmentRole[]>;
  put(
    environment: { readonly id: string; readonly name: string },
    username: string,
    role: Role,
    context: ChangeContext,
  ): Promise<EnvironmentRole>;
  /** The step that removes all roles of a user who is deleted. Call `forget` after it. */
  removal(username: string): Step[];
  forget(): void;
  remove(
    environment: { readonly id: string; readonly name: string },
    username: string,
    context: ChangeContext,
  ): Promise<void>;
}

const longestName = 256;

export function createGrants({ store }: Dependencies): Grants {
  const ofUser = store.prepare((db, v: { user_key: string }) =>
    db.selectFrom("role_grants").select(["environment_id", "role"]).where("user_key", "=", v.user_key),
  );
  const ofEnvironment = store.prepare((db, v: { environment_id: string }) =>
    db
      .selectFrom("role_grants")
      .select(["username", "role", "granted_by", "granted_at"])
      .where("environment_id", "=", v.environment_id)
      .orderBy("user_key"),
  );
  const insert = store.prepare((db, v: Tables["role_grants"]) =>
    db.insertInto("role_grants").values({
      user_key: v.user_key,
      environment_id: v.environment_id,
      username: v.username,
      role: v.role,
      granted_by: v.granted_by,
      granted_at: v.granted_at,
    }),
  );
  const change = store.prepare((db, v: Tables["role_grants"]) =>
    db
      .updateTable("role_grants")
      .set({ username: v.username, role: v.role, granted_by: v.granted_by, granted_at: v.granted_at })
      .where("user_key", "=", v.user_key)
      .where("environment_id", "=", v.environment_id),
  );
  /** Roles are charged only to the environment, because admins grant them. */
  const storedRole = (environmentId: string, n: number): StoredChange => ({
    kind: "roles",
    environmentId,
    chargedTo: null,
    n,
    bytes: 0,
  });
  const uncount = uncounted(store, "roles", (_, v: { user_key: string }) => ({
    n: sql.lit(1),
    bytes: sql.lit(0),
    scopes: sql<string>`select 'environment/' || environment_id from role_grants where user_key = ${v.user_key}`,
  }));
  const remove = store.prepare((db, v: { user_key: string; environment_id: string }) =>
    db
      .deleteFrom("role_grants")
      .where("user_key", "=", v.user_key)
      .where("environment_id", "=", v.environment_id),
  );
  const removeAll = store.prepare((db, v: { user_key: string }) =>
    db.deleteFrom("role_grants").where("user_key", "=", v.user_key),
  );
  /** Used only if this server alone has the database: otherwise each request reads the grants. */
  let cache = new Map<string, ReadonlyMap<string, Role> | undefined>();
  const apply: typeof store.apply = (change) => store.apply(change).finally(forget);

  /** Creates a new map, because a lookup that began before the change stores its result in the old map. */
  function forget(): void {
    cache = new Map();
  }

  async function read(user_key: string): Promise<ReadonlyMap<string, Role> | undefined> {
    const rows = await store.all(ofUser({ user_key }));
    if (rows.length === 0) return undefined;
    return new Map(rows.map(({ environment_id, role }) => [environment_id, role as Role]));
  }

  return {
    removal(username) {
      const user_key = keyOfUser(username);
      return [uncount({ user_key }), removeAll({ user_key })];
    },
    forget,
    async of(username) {
      const key = keyOfUser(username);
      if (!store.engine.exclusive) return read(key);
      const known = cache;
      if (known.has(key)) return known.get(key);
      const found = await read(key);
      if (known.size >= 10_000) known.clear();
      known.set(key, found);
      return found;
    },
    async inEnvironment(environmentId) {
      const rows = await store.all(ofEnvironment({ environment_id: environmentId }));
      return rows.map((row) => ({ ...row, role: row.role as Role }));
    },
    async put(environment, username, role, context) {
      // PostgreSQL stores no NUL, and no name has one.
      if (username.includes("\0")) throw conflict("A username has no NUL character.");
      if (username.length > longestName) throw conflict(`A username has at most ${longestName} characters.`);
      const details = { username, role, granted_by: context.actor, granted_at: context.time };
      const row = { ...details, user_key: keyOfUser(username), environment_id: environment.id };
      await store.retryOnConflict(async () => {
        const before = (await read(row.user_key))?.has(environment.id) ?? false;
        const referenced = () => noEnvironment(environment.name);
        const step: Step = before
          ? { ...change(row), expect: 1 }
          : { ...insert(row), stored: storedRole(environment.id, 1) };
        await apply({
          context,
          steps: [{ ...step, refused: { referenced } }],
          events: [
            {
              kind: "environment.role_granted",
              subject: `environment/${environment.id}`,
              data: { name: environment.name, username, role },
            },
          ],
        });
      });
      return details;
    },
    async remove(environment, username, context) {
      if (username.includes("\0")) throw notFound("No user has this name.");
      const step = remove({ user_key: keyOfUser(username), environment_id: environment.id });
      const missed = () => notFound(`${username} has no role of its own in "${environment.name}".`);
      await apply({
        context,
        steps: [{ ...step, expect: 1, stored: storedRole(environment.id, -1), refused: { missed } }],
        events: [
          {
            kind: "environment.role_revoked",
            subject: `environment/${environment.id}`,
            data: { name: environment.name, username },
          },
        ],
      });
    },
  };
}

const noEnvironment = (name: string) => notFound(`There is no environment "${name}".`);

/** Databricks treats names that differ in case as one user. */
const keyOfUser = (username: string): string => username.toLowerCase();
