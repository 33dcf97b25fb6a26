import type { AnySchema, Fields, Infer, Input, ModelSchema } from "./schema/index.ts";

/** Who may call. `public` requires no token. The others are roles, and each includes the previous ones. */
export type Access = "public" | "viewer" | "operator" | "admin";

/** The error statuses that an endpoint lists. The OpenAPI document adds those that every endpoint can return. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 422 | 429 | 503;

/**
 * One endpoint of the API, as data. The server validates requests with it, OpenAPI is printed from it, and the
 * client is typed by it. Nothing about an endpoint is declared elsewhere.
 */
export interface Endpoint {
  /** The number in the contract. Extensions have none. */
  readonly number?: number;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` is a path parameter. `{name*}` at the end matches the rest of the path, including slashes. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
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
  /** Needs the data folder: a server without its lease forwards the request to the lease holder. */
  readonly needsData?: true;
  readonly bodyLimit?: "codegen";
  readonly example?: { readonly body?: unknown; readonly response?: unknown };
}

/** Keeps the exact type of the endpoint, which types handlers and the client. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

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
