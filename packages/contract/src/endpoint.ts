import type { AnySchema, Deprecation, Fields, Infer, Input, ModelSchema } from "./schema/index.ts";

/** Who may call. `public` requires no token. The others are roles, and each includes the previous ones. */
export type Access = "public" | "viewer" | "operator" | "admin";

/** Resources that the first parameter of a path names. Automations and agents may be in several environments. */
export type ScopeResource =
  | "agent"
  | "app"
  | "automation"
  | "binding"
  | "connector"
  | "delivery"
  | "deployment"
  | "drift"
  | "environment"
  | "flow"
  | "job"
  | "pipeline"
  | "plan"
  | "run";

/**
 * The environments that a request concerns. The caller needs the role of `access` in each of them.
 *
 * - `server`: none. The role on the whole server counts.
 * - `any`: none. A role in any environment is enough.
 * - `header`: the environment in `X-Environment-Id`, or the default environment.
 * - `body`: the environment in `environment` of the body.
 * - `list`: the environment in `X-Environment-Id`; without it, the answer has only items in environments of the caller.
 * - `schedule`: the environment in `X-Environment-Id`, or all environments of the automation in the path.
 * - a resource: the environments of the resource in the path.
 */
export type EnvironmentScope = "server" | "any" | "header" | "body" | "list" | "schedule" | ScopeResource;

/**
 * What a request changes in an environment. It decides who may send the request where the environment is protected or
 * takes changes only by plans (`configuration.changes`).
 *
 * - `nothing`: it reads, validates, generates, or concerns the whole server. Allowed everywhere.
 * - `draft`: a definition that environments share, which none of them runs before a release.
 * - `operation`: runs, pauses, deployments, components. No definition changes.
 * - `settings`: parts of an environment that plans do not make, such as secrets, files and roles. Only for admins where
 *   changes are by plan. Changing a file that a resource uses changes the definition of that resource.
 * - `definition`: resources that plans make. Refused where changes are by plan. Policies of the server judge the
 *   change.
 */
export type EnvironmentChanges = "nothing" | "draft" | "operation" | "settings" | "definition";

/** The error statuses that an endpoint lists. The OpenAPI document adds those that every endpoint can return. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 410 | 412 | 413 | 422 | 429 | 503;

/**
 * One endpoint of the API, as data. It validates requests in the server, generates the OpenAPI document, and types the
 * client. Nothing about an endpoint is declared elsewhere.
 */
export interface Endpoint {
  /** The number in the contract. Absent: an extension. */
  readonly number?: number;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` is a path parameter. `{name*}` at the end matches the rest of the path, including slashes. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly scope: EnvironmentScope;
  /** Present on every endpoint that writes. */
  readonly changes?: EnvironmentChanges;
  /** A POST that changes nothing anywhere: its dry run is the request itself. */
  readonly readOnly?: true;
  /**
   * What the request does besides changing the database, which prevents a dry run and a transaction with other
   * requests. Completes "This request …": `sends a message`.
   */
  readonly effect?: string;
  /**
   * The request changes a state at most once and stores little, so storage quotas do not refuse it. DELETE is never
   * refused.
   */
  readonly isBounded?: true;
  /**
   * An unknown name in the path is part of the answer instead of a 404, even a name with a NUL, which no resource can
   * have.
   */
  readonly answersUnknownNames?: true;
  /** Schemas of path parameters. Default: any string. */
  readonly params?: Fields;
  readonly query?: Fields;
  /** Header names and their descriptions. Handlers get the raw values. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `bytes`: the raw body, of any content type. */
  readonly body?: AnySchema | "bytes";
  readonly bodyOptional?: boolean;
  /** The body may also be YAML, with `Content-Type: application/yaml`. */
  readonly yaml?: true;
  /** The handler gets the raw bytes and validates them itself: large bodies are validated off the main thread. */
  readonly readBy?: "handler";
  readonly response: AnySchema;
  /** The content type of another form of the response: `text/event-stream`, the bytes of a file, … */
  readonly streams?: string;
  readonly errors?: readonly ErrorStatus[];
  /** A POST that creates: accepts `Idempotency-Key`, unless its response contains a token. */
  readonly creates?: boolean;
  /** The response has an `ETag`. PATCH, PUT and DELETE accept `If-Match`. */
  readonly versioned?: boolean;
  /** Needs the data folder: a server without the data folder lease forwards the request to the lease holder. */
  readonly needsData?: true;
  readonly bodyLimit?: "codegen";
  readonly example?: { readonly body?: unknown; readonly response?: unknown };
  /** There is a replacement: headers of the response say so. */
  readonly deprecated?: Deprecation;
}

/** Requires an endpoint that writes to declare what it changes. */
type Classified<E extends Endpoint> = E["method"] extends "GET"
  ? { readonly changes?: never }
  : { readonly changes: EnvironmentChanges };

/** Keeps the exact type of the endpoint, which types handlers and the client. */
export const endpoint = <const E extends Endpoint>(definition: E & Classified<E>): E => definition;

/** Whether a request can be tried with `dry_run=true`. */
export const acceptsDryRun = ({ method, effect }: Endpoint): boolean =>
  method !== "GET" && effect === undefined;

/** Whether storage quotas do not refuse the endpoint's requests. */
export const isBounded = ({ method, isBounded }: Endpoint): boolean =>
  method === "GET" || method === "DELETE" || isBounded === true;

/** The error statuses that the endpoint lists, and those that follow from its properties. */
export function errorStatusesOf(endpoint: Endpoint): number[] {
  const takesInput = endpoint.body ?? endpoint.query ?? endpoint.params;
  const statuses = new Set<number>([400, ...(endpoint.errors ?? []), 429, 500, 503]);
  if (endpoint.access !== "public") statuses.add(401).add(403);
  if (endpoint.body !== undefined || !(endpoint.readOnly || isBounded(endpoint))) statuses.add(413);
  // A request without input can still ask for a dry run.
  const isWrite = endpoint.method !== "GET";
  if (takesInput !== undefined || isWrite) statuses.add(422);
  if (endpoint.query !== undefined || acceptsDryRun(endpoint)) statuses.add(431);
  return [...statuses].sort((a, b) => a - b);
}

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}*` ? Bare : Name) | PathNames<Rest>
  : never;

export type NoKeys = Record<never, never>;

/** The path parameters, after validation. */
export type EndpointParams<E extends Endpoint> = {
  readonly [Name in PathNames<E["path"]>]: E["params"] extends Fields
    ? Name extends keyof E["params"]
      ? Infer<E["params"][Name]>
      : string
    : string;
};
export type EndpointQuery<E extends Endpoint> = E["query"] extends Fields
  ? Infer<ModelSchema<E["query"], NoKeys>>
  : NoKeys;
export type EndpointQueryInput<E extends Endpoint> = E["query"] extends Fields
  ? Input<ModelSchema<E["query"], NoKeys>>
  : NoKeys;
export type EndpointBody<E extends Endpoint> = E["body"] extends AnySchema
  ? Infer<E["body"]>
  : E["body"] extends "bytes"
    ? Uint8Array
    : undefined;
export type EndpointBodyInput<E extends Endpoint> = E["body"] extends AnySchema
  ? Input<E["body"]>
  : E["body"] extends "bytes"
    ? Uint8Array | string
    : undefined;
export type EndpointResponse<E extends Endpoint> = Infer<E["response"]>;
