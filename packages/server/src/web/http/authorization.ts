import type { Endpoint, ScopeResource } from "@lakehelm/contract";
import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import { heldRole } from "@lakehelm/contract/text";
import { forbidden, notFound } from "../../core/errors.ts";
import { isByPlan, onlyByPlans, type ProtectedChanges } from "./by-plan.ts";
import { includesRole, roleIn, visibleEnvironments } from "./call.ts";
import type { Caller, Role } from "./handler.ts";

/** What a role in an environment depends on. */
interface KnownEnvironment {
  readonly id: string;
  readonly name: string;
  readonly protected: boolean;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** The ids of the environments that a resource is in; undefined if the resource does not exist. */
type EnvironmentsOf = (reference: string) => Promise<readonly string[] | undefined>;

/** For each resource that has its own environment or environments. */
export type EnvironmentLookups = Readonly<Record<Exclude<ScopeResource, "environment">, EnvironmentsOf>>;

interface AuthorizationDependencies {
  readonly defaultEnvironment: string;
  readonly protectedChanges: ProtectedChanges;
  /** By id or name. */
  readonly find: (reference: string) => Promise<KnownEnvironment | undefined>;
  readonly environmentsOf: EnvironmentLookups;
}

/** The parts of a request that name its environment. */
interface ScopedRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** `X-Environment-Id`. */
  readonly environment: string | undefined;
}

/** Checks the roles of a caller in the environments of a request. Returns the caller with its role there, or throws. */
export type Authorize = (endpoint: Endpoint, caller: Caller, request: ScopedRequest) => Promise<Caller>;

/** Definitions that all environments share. Everyone reads them; each environment runs its own release. */
const isShared = (scope: Endpoint["scope"]) => scope === "automation" || scope === "agent";

/**
 * The only place that decides on roles in environments: by the `scope` that each endpoint declares. A resource in an
 * environment where the caller has no role does not exist for the caller: 404, as for an unknown one.
 */
export function createAuthorization(deps: AuthorizationDependencies): Authorize {
  const { defaultEnvironment, protectedChanges, find, environmentsOf } = deps;

  async function environmentsIn(
    scope: Endpoint["scope"],
    { params, body, environment }: ScopedRequest,
  ): Promise<readonly KnownEnvironment[] | undefined> {
    const named = async (reference: string) => {
      const found = await find(reference);
      return found && [found];
    };
    const [first] = Object.values(params);
    switch (scope) {
      case "header":
        return named(environment ?? defaultEnvironment);
      case "environment":
        return named(String(first));
      case "body":
        return named(String((body as { readonly environment?: unknown }).environment));
      case "schedule":
        return environment === undefined ? resource("automation", String(first)) : named(environment);
      case "server":
      case "any":
      case "list":
        return [];
      default:
        return resource(scope, String(first));
    }
  }

  async function resource(
    kind: keyof EnvironmentLookups,
    reference: string,
  ): Promise<readonly KnownEnvironment[] | undefined> {
    const ids = await environmentsOf[kind](reference);
    if (!ids) return undefined;
    const found = await Promise.all(ids.map(find));
    // The environment of a kept record may be deleted: then only a role on the whole server counts.
    return found.map((one, at) => one ?? deleted(ids[at] ?? ""));
  }

  function requireRole(endpoint: Endpoint, caller: Caller, environment: KnownEnvironment): void {
    const role = roleIn(caller, environment.id);
    const access = endpoint.access as Role;
    const { name } = environment;
    if (!includesRole(role, access)) {
      throw forbidden(
        `This requires the role ${access} in the environment "${name}". ${caller.name} has ${heldRole(role)} there. Ask one of its admins for it.`,
      );
    }
    if (environment.protected && changes(endpoint) && role !== "admin") {
      throw forbidden(`The environment "${name}" is protected: only its admins may change it.`);
    }
    if (!isByPlan(environment, protectedChanges)) return;
    if (endpoint.changes === "definition") throw onlyByPlans(name);
    if (endpoint.changes === "settings" && role !== "admin") {
      throw forbidden(
        `The environment "${name}" takes changes only by plans: only its admins may change this.`,
      );
    }
  }

  return async (endpoint, caller, request) => {
    const { scope } = endpoint;
    const access = endpoint.access as Role;
    const isLimited = caller.role === "none" || caller.grants !== undefined;
    if (!isLimited && !changes(endpoint)) return caller;
    if (scope === "any" || (isShared(scope) && access === "viewer")) return caller;
    if (scope === "list") {
      if (request.environment !== undefined) {
        const environment = await find(request.environment);
        if (environment ? roleIn(caller, environment.id) === "none" : caller.role === "none") {
          throw noEnvironment(request.environment);
        }
      }
      return caller;
    }
    const environments = scope === "server" ? undefined : await environmentsIn(scope, request);
    if (environments === undefined || environments.length === 0) {
      // The request concerns no environment, so the role on the whole server counts. A shared definition without a
      // release is open to every caller who has the role somewhere, which the guard has checked.
      if (environments && isShared(scope)) return caller;
      if (caller.role === "none" && scope !== "server") throw missing(scope, request, defaultEnvironment);
      if (includesRole(caller.role, access)) return caller;
      throw forbidden(`This requires the role ${access} on the whole server.`);
    }
    for (const environment of environments) {
      if (roleIn(caller, environment.id) === "none") throw missing(scope, request, defaultEnvironment);
      requireRole(endpoint, caller, environment);
    }
    const [only] = environments;
    if (!only || isShared(scope)) return caller;
    return { ...caller, role: roleIn(caller, only.id), serverRole: caller.role };
  };
}

const changes = ({ changes = "nothing" }: Endpoint): boolean => changes !== "nothing" && changes !== "draft";

/** Whether even an admin of the whole server may be refused, in environments that are changed only by plans. */
export const mayBeByPlanOnly = ({ changes }: Endpoint): boolean => changes === "definition";

const deleted = (id: string): KnownEnvironment => ({ id, name: id, protected: false, configuration: {} });

const noEnvironment = (reference: string) => notFound(`There is no environment "${reference}".`);

/** The same answer whether a resource does not exist or is not visible to the caller. */
function missing(scope: Endpoint["scope"], request: ScopedRequest, defaultEnvironment: string) {
  const { params, body, environment } = request;
  if (scope === "header" && environment === undefined) {
    return forbidden(
      `You have no role in the default environment "${defaultEnvironment}". Name another one in X-Environment-Id.`,
    );
  }
  if (scope === "body") return noEnvironment(String((body as { environment?: unknown }).environment));
  if (scope === "environment") return noEnvironment(String(Object.values(params)[0]));
  if ((scope === "header" || scope === "schedule") && environment !== undefined) {
    return noEnvironment(environment);
  }
  return notFound(`There is no such ${scope === "schedule" ? "automation" : scope}.`);
}

/**
 * Whether answers of an endpoint may contain shared definitions. Other answers, which may be large, are not searched.
 */
export const hasSharedDefinitions = ({ tag }: Endpoint): boolean =>
  tag === "Automations" || tag === "Agents and apps";

/** The lists in a shared definition that have an entry for each environment. */
const byEnvironment = ["releases", "schedules", "components"];
/** The fields of an answer that contain shared definitions. */
const containers = ["agents", "agent"];

/**
 * A shared definition without its entries for other environments, for a caller with roles in some environments only.
 * Other lists are filtered when they are read.
 */
export function visiblePart(text: string, caller: Caller): string {
  const visible = visibleEnvironments(caller);
  if (!visible) return text;
  const read = decodeJson(text);
  return "value" in read ? encodeJson(visibleIn(read.value, new Set(visible))) : text;
}

function visibleIn(value: unknown, visible: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => visibleIn(item, visible));
  if (typeof value !== "object" || value === null) return value;
  const isVisible = (item: { readonly environment_id?: unknown }) =>
    typeof item?.environment_id !== "string" || visible.has(item.environment_id);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (byEnvironment.includes(key) && Array.isArray(item)) return [key, item.filter(isVisible)];
      return [key, containers.includes(key) ? visibleIn(item, visible) : item];
    }),
  );
}
