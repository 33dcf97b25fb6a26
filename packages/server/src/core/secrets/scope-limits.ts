import { heldRole } from "@lakehelm/contract/text";
import { conflict, forbidden } from "../errors.ts";
import type { ChangeContext, Store } from "../store/store.ts";
import { destinationText } from "./destination.ts";
import { referencesIn, type SecretReference } from "./references.ts";

/** Who may use a secret scope, and where. Null: no limit. */
export interface ScopeLimit {
  /** Ids of environments. */
  readonly environments: readonly string[] | null;
  /** Roles that may write a reference to it. An admin always may. */
  readonly roles: readonly ScopeRole[] | null;
}

type ScopeRole = "operator" | "admin";

/** A place where references are written. */
interface ReferenceUse {
  readonly context: ChangeContext;
  /** Absent: it is not known yet where they will be resolved. */
  readonly environmentId?: string | undefined;
  /** What was stored before. Its references stay while the destination is unchanged. */
  readonly before?: unknown;
}

/** Limits of secret scopes, by the scope's name, for all environments. */
export interface ScopeLimits {
  of(scope: string): Promise<ScopeLimit>;
  set(scope: string, limit: ScopeLimit, context: ChangeContext): Promise<void>;
  /** Throws 409 if a scope that `tree` refers to is limited to other environments, 403 if to other roles. */
  requireMayRefer(tree: unknown, use: ReferenceUse): Promise<void>;
  /** Whether a caller with this role may refer to the scope in an environment. An admin may know of every scope. */
  mayRefer(scope: string, environmentId: string, role: string): Promise<boolean>;
  /** Throws 409 if the scope is limited to other environments. */
  requireEnvironment(scope: string, environmentId: string): Promise<void>;
}

const unlimited: ScopeLimit = { environments: null, roles: null };

export function createScopeLimits(store: Store): ScopeLimits {
  const one = store.prepare((db, v: { scope: string }) =>
    db.selectFrom("secret_scopes").select(["environments", "roles"]).where("scope", "=", v.scope),
  );
  const upsert = store.prepare(
    (db, v: { scope: string; environments: string | null; roles: string | null; updated_at: string }) =>
      db
        .insertInto("secret_scopes")
        .values({ scope: v.scope, environments: v.environments, roles: v.roles, updated_at: v.updated_at })
        .onConflict((oc) =>
          oc.column("scope").doUpdateSet((eb) => ({
            environments: eb.ref("excluded.environments"),
            roles: eb.ref("excluded.roles"),
            updated_at: eb.ref("excluded.updated_at"),
          })),
        ),
  );

  async function of(scope: string): Promise<ScopeLimit> {
    const row = await store.one(one({ scope }));
    return row ? { environments: listOf(row.environments), roles: listOf<ScopeRole>(row.roles) } : unlimited;
  }

  const limits: ScopeLimits = {
    of,
    async set(scope, { environments, roles }, context) {
      const step = upsert({
        scope,
        environments: environments && JSON.stringify(environments),
        roles: roles && JSON.stringify(roles),
        updated_at: context.time,
      });
      await store.apply({
        context,
        steps: [step],
        events: [
          {
            kind: "secret.scope_limited",
            subject: `secret-scope/${scope}`,
            data: { scope, environments, roles },
          },
        ],
      });
    },
    async requireMayRefer(tree, { context, environmentId, before }) {
      const references = referencesIn(tree);
      if (references.length === 0) return;
      const isSameDestination = before !== undefined && destinationText(before) === destinationText(tree);
      const kept = new Set(isSameDestination ? referencesIn(before).map(textOf) : []);
      for (const reference of references) {
        const limit = await of(reference.scope);
        if (environmentId !== undefined) requireAllowed(reference.scope, limit, environmentId);
        if (!kept.has(textOf(reference))) requireRole(reference.scope, limit, context);
      }
    },
    async mayRefer(scope, environmentId, role) {
      if (role === "admin") return true;
      const { environments, roles } = await of(scope);
      const isHere = environments === null || environments.includes(environmentId);
      return isHere && (roles === null || roles.some((one) => one === role));
    },
    async requireEnvironment(scope, environmentId) {
      requireAllowed(scope, await of(scope), environmentId);
    },
  };
  return limits;
}

const textOf = ({ scope, key }: SecretReference) => `${scope}/${key}`;

const listOf = <Item = string>(text: string | null): Item[] | null =>
  text === null ? null : JSON.parse(text);

function requireAllowed(scope: string, { environments }: ScopeLimit, environmentId: string): void {
  if (environments === null || environments.includes(environmentId)) return;
  throw conflict(
    `The secret scope "${scope}" is limited to other environments. An admin can change that: PUT /api/v1/secrets/${scope}.`,
  );
}

/** The server's own changes have no role: they write what a caller was allowed to write. */
function requireRole(scope: string, { roles }: ScopeLimit, { actor, role }: ChangeContext): void {
  if (roles === null || role === undefined || role === "admin" || roles.some((one) => one === role)) return;
  const allowed = [...new Set([...roles, "admin"])].join(" or ");
  throw forbidden(
    `A reference to the secret scope "${scope}" requires the role ${allowed}. ${actor} has ${heldRole(role)}.`,
  );
}
