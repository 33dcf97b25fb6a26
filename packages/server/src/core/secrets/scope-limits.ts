import { allowsHost, hostEntry, hostIn, programs } from "@lakehelm/contract/connections";
import { heldRole } from "@lakehelm/contract/text";
import { sql } from "kysely";
import { conflict, forbidden } from "../errors.ts";
import type { StoredChange } from "../store/change.ts";
import type { ChangeContext, Step, Store } from "../store/store.ts";
import { uncounted } from "../store/stored-usage.ts";
import type { Tables } from "../store/tables.ts";
import { destinationText } from "./destination.ts";
import { placedReferences, referencesIn, type SecretReference } from "./references.ts";
import type { DestinationAt, SecretDestination } from "./secret-destination.ts";

/** Who may use a secret scope, where, and for what. Null: no limit. */
export interface ScopeLimit {
  /** Ids of environments. */
  readonly environments: readonly string[] | null;
  /** Roles that may write a reference to the scope. An admin always may. */
  readonly roles: readonly ScopeRole[] | null;
  /** Hosts that its secrets may be sent to. Null: those that the first reference of an admin names in each environment. */
  readonly hosts: readonly string[] | null;
}

type ScopeRole = "operator" | "admin";

/** A place where references are written. */
interface ReferenceUse {
  readonly context: ChangeContext;
  /** Absent: it is not known yet in which environment the references will be resolved. */
  readonly environmentId?: string | undefined;
  /** The tree that was stored before. Its references may stay while the destination is unchanged. */
  readonly before?: unknown;
  readonly destinationAt: DestinationAt;
}

/** Limits of secret scopes, by the scope's name, for all environments; but a first use binds a scope in its environment alone. */
export interface ScopeLimits {
  /** With an environment: `hosts` are those allowed in that environment. */
  of(scope: string, environmentId?: string): Promise<ScopeLimit>;
  /**
   * If `hosts` is absent, the hosts stay as they are. Otherwise they hold in every environment; with null, first uses
   * bind the scope again.
   */
  set(
    scope: string,
    limit: Omit<ScopeLimit, "hosts"> & Partial<Pick<ScopeLimit, "hosts">>,
    context: ChangeContext,
  ): Promise<void>;
  /**
   * Throws 409 if a scope that `tree` refers to is limited to other environments or hosts, and 403 if it is limited to
   * other roles. A scope without hosts gets those of the first reference that an admin writes: for that environment or,
   * if the environment is not known and the admin is one of the server, for all environments.
   */
  requireMayRefer(tree: unknown, use: ReferenceUse): Promise<void>;
  /** Whether a caller with this role may refer to the scope in an environment. An admin may know of every scope. */
  mayRefer(scope: string, environmentId: string, role: string): Promise<boolean>;
  /** Throws 409 if the scope is limited to other environments. */
  requireEnvironment(scope: string, environmentId: string): Promise<void>;
  /**
   * Throws 409 if the scope's secrets may not be sent to `to`. `value` is the secret, which may be an address itself.
   */
  requireDestination(
    at: { readonly scope: string; readonly environmentId: string },
    to: SecretDestination,
    value: string,
    context: ChangeContext,
  ): Promise<void>;
  /** For the deletion of an environment. */
  removalIn(environmentId: string): Step[];
}

/** Without an environment: in all of them. */
interface Place {
  readonly scope: string;
  readonly environmentId?: string | undefined;
}

export function createScopeLimits(store: Store): ScopeLimits {
  const one = store.prepare((db, v: { scope: string }) =>
    db.selectFrom("secret_scopes").select(["environments", "roles", "hosts"]).where("scope", "=", v.scope),
  );
  type Row = { scope: string; environments: string | null; roles: string | null; updated_at: string };
  const insert = store.prepare((db, v: Row) =>
    db
      .insertInto("secret_scopes")
      .values({ scope: v.scope, environments: v.environments, roles: v.roles, updated_at: v.updated_at }),
  );
  const update = store.prepare((db, v: Row) =>
    db
      .updateTable("secret_scopes")
      .set({ environments: v.environments, roles: v.roles, updated_at: v.updated_at })
      .where("scope", "=", v.scope),
  );
  const storedIn = (environmentId: string | null): StoredChange => ({
    kind: "secret_scopes",
    environmentId,
    chargedTo: null,
    n: 1,
    bytes: 0,
  });
  const setHosts = store.prepare((db, v: { scope: string; hosts: string | null }) =>
    db.updateTable("secret_scopes").set({ hosts: v.hosts }).where("scope", "=", v.scope),
  );
  type Binding = { scope: string; hosts: string; updated_at: string };
  const insertBound = store.prepare((db, v: Binding) =>
    db.insertInto("secret_scopes").values({
      scope: v.scope,
      environments: null,
      roles: null,
      hosts: v.hosts,
      updated_at: v.updated_at,
    }),
  );
  /** Of two first uses at the same time, the later one finds the scope bound. */
  const bind = store.prepare((db, v: Binding) =>
    db
      .updateTable("secret_scopes")
      .set({ hosts: v.hosts, updated_at: v.updated_at })
      .where("scope", "=", v.scope)
      .where("hosts", "is", null),
  );

  type BindingRow = Tables["secret_bindings"];
  const bindings = store.prepare((db, v: Pick<BindingRow, "scope">) =>
    db.selectFrom("secret_bindings").select(["environment_id", "hosts"]).where("scope", "=", v.scope),
  );
  const binding = store.prepare((db, v: Pick<BindingRow, "scope" | "environment_id">) =>
    db
      .selectFrom("secret_bindings")
      .select("hosts")
      .where("scope", "=", v.scope)
      .where("environment_id", "=", v.environment_id),
  );
  const insertBinding = store.prepare((db, v: BindingRow) =>
    db.insertInto("secret_bindings").values({
      scope: v.scope,
      environment_id: v.environment_id,
      hosts: v.hosts,
      updated_at: v.updated_at,
    }),
  );
  type Some = { readonly scope: string | null; readonly environment_id: string | null };
  const dropBindings = store.prepare((db, v: Some) =>
    db
      .deleteFrom("secret_bindings")
      .where((eb) => eb.or([eb("scope", "=", v.scope), eb("environment_id", "=", v.environment_id)])),
  );
  const uncountBindings = uncounted(store, "secret_scopes", (_, v: Some) => {
    const chosen = sql`(scope = ${v.scope} or environment_id = ${v.environment_id})`;
    return {
      n: sql<number>`(select count(*) from secret_bindings where ${chosen} and 'environment/' || environment_id = stored_usage.scope)`,
      bytes: sql<number>`0`,
      scopes: sql<string>`select 'environment/' || environment_id from secret_bindings where ${chosen}`,
    };
  });
  const removal = (some: Some): Step[] => [uncountBindings(some), dropBindings(some)];

  async function of(scope: string, environmentId?: string): Promise<ScopeLimit> {
    const row = await store.one(one({ scope }));
    const here =
      environmentId === undefined
        ? undefined
        : await store.one(binding({ scope, environment_id: environmentId }));
    return {
      environments: listOf(row?.environments),
      roles: listOf<ScopeRole>(row?.roles),
      hosts: listOf(row?.hosts ?? here?.hosts),
    };
  }

  /**
   * The secret may be sent from any environment: hosts that one environment allows may be written. They are checked
   * again when the secret is sent.
   */
  async function anywhere(scope: string): Promise<readonly string[] | null> {
    const found = await store.all(bindings({ scope }));
    return found.length === 0 ? null : found.flatMap(({ hosts }) => listOf(hosts) ?? []);
  }

  const exists = async (scope: string) => (await store.one(one({ scope }))) !== undefined;

  const bindUnbound = (
    { scope, environmentId }: Place,
    to: readonly string[],
    context: ChangeContext,
  ): Promise<void> =>
    store.retryWithinRule(async () => {
      if ((await of(scope, environmentId)).hosts !== null) return;
      const hosts = [...new Set(to.map(hostEntry))];
      const row = { scope, hosts: JSON.stringify(hosts), updated_at: context.time };
      const step =
        environmentId !== undefined
          ? { ...insertBinding({ ...row, environment_id: environmentId }), stored: storedIn(environmentId) }
          : (await exists(scope))
            ? bind(row)
            : { ...insertBound(row), stored: storedIn(null) };
      await store.apply({
        context,
        steps: [step],
        events: [
          {
            kind: "secret.scope_bound",
            subject: `secret-scope/${scope}`,
            data: { scope, hosts, ...(environmentId !== undefined && { environment_id: environmentId }) },
          },
        ],
      });
    });

  const limits: ScopeLimits = {
    of,
    set: (scope, { environments, roles, hosts }, context) =>
      store.retryOnConflict(async () => {
        const row = {
          scope,
          environments: environments && JSON.stringify(environments),
          roles: roles && JSON.stringify(roles),
          updated_at: context.time,
        };
        const hostsStep = hosts !== undefined && setHosts({ scope, hosts: hosts && JSON.stringify(hosts) });
        await store.apply({
          context,
          steps: [
            (await exists(scope)) ? update(row) : { ...insert(row), stored: storedIn(null) },
            ...(hostsStep ? [hostsStep, ...removal({ scope, environment_id: null })] : []),
          ],
          events: [
            {
              kind: "secret.scope_limited",
              subject: `secret-scope/${scope}`,
              data: { scope, environments, roles, ...(hosts !== undefined && { hosts }) },
            },
          ],
        });
      }),
    async requireMayRefer(tree, { context, environmentId, before, destinationAt }) {
      const references = placedReferences(tree);
      if (references.length === 0) return;
      const isSameDestination = before !== undefined && destinationText(before) === destinationText(tree);
      const kept = new Set(isSameDestination ? referencesIn(before).map(textOf) : []);
      const unbound = new Map<string, Set<string>>();
      const { serverRole = context.role } = context;
      for (const { reference, path, text } of references) {
        const { scope } = reference;
        const limit = await of(scope, environmentId);
        if (environmentId !== undefined) requireAllowed(scope, limit, environmentId);
        if (kept.has(textOf(reference))) continue;
        requireRole(scope, limit, context);
        const to = destinationAt(path, text);
        const elsewhere = limit.hosts === null && environmentId === undefined ? await anywhere(scope) : null;
        if (limit.hosts !== null) requireHosts(scope, limit.hosts, to);
        else if (elsewhere !== null) requireHosts(scope, elsewhere, to, false);
        else if ((environmentId === undefined ? serverRole : context.role) === "admin") {
          if (typeof to === "string") continue;
          unbound.set(scope, new Set([...(unbound.get(scope) ?? []), ...to]));
        } else if (context.role !== undefined && to !== "its own address" && to.length > 0) {
          throw forbidden(unboundText(scope, to));
        }
      }
      for (const [scope, hosts] of unbound) {
        if (hosts.size === 0) continue;
        await bindUnbound({ scope, environmentId }, [...hosts], context);
        requireHosts(scope, (await of(scope, environmentId)).hosts ?? [], [...hosts]);
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
    async requireDestination(at, to, value, context) {
      const { scope, environmentId } = at;
      if (to === "an app") await bindUnbound(at, [programs], context);
      const { hosts } = await of(scope, environmentId);
      const own = to === "its own address" ? hostIn(value) : undefined;
      // A destination that is unknown even now is filled in by code that runs elsewhere.
      const sent = own !== undefined ? [own] : typeof to === "string" ? [programs] : to;
      if (hosts !== null) requireHosts(scope, hosts, sent);
      else if (own === undefined && sent.length > 0) throw conflict(unboundText(scope, sent));
    },
    removalIn: (environmentId) => removal({ scope: null, environment_id: environmentId }),
  };
  return limits;
}

const textOf = ({ scope, key }: SecretReference) => `${scope}/${key}`;

const listOf = <Item = string>(text: string | null | undefined): Item[] | null => JSON.parse(text ?? "null");

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

/** An unknown destination is checked when the secret is sent. */
function requireHosts(scope: string, hosts: readonly string[], to: SecretDestination, areShown = true): void {
  if (typeof to === "string") return;
  const refused = to.find((host) => !allowsHost(hosts, host));
  if (refused === undefined) return;
  throw conflict(
    `Secrets of the scope "${scope}" may not be sent to ${shownHost(refused)}: it is limited to ${areShown ? hosts.join(", ") || "no host" : "other hosts in each environment"}. An admin of the server can list its hosts for all environments: lakehelm secrets limit ${scope} --set hosts=[${[...(areShown ? hosts : []), hostEntry(refused)].join(",")}].`,
  );
}

const shownHost = (host: string) => (host === programs ? "programs (apps, agents, tasks)" : hostEntry(host));

const unboundText = (scope: string, to: SecretDestination) =>
  `The secret scope "${scope}" is not bound to a host here yet. The first use by an admin of the environment binds it there, or an admin of the server lists its hosts: lakehelm secrets limit ${scope} --set hosts=[${typeof to === "string" ? "db.example.com" : to.map(hostEntry).join(",")}].`;
