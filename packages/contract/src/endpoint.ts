import type { AnySchema, Fields, Infer, Input, ModelSchema } from "./schema/index.ts";

/** Who may call: nobody needs a token for `public`; the others are roles, each including the ones before. */
export type Access = "public" | "viewer" | "operator" | "admin";

/** What an endpoint answers besides success; every endpoint may also say the ones in `always`. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 422 | 429 | 503;

/**
 * One endpoint of the API, as data. The server validates by it, OpenAPI is printed from it, the client is
 * typed by it. Nothing about an endpoint is said anywhere else.
 */
export interface Endpoint {
  /** Its number in the contract; our extensions have none. */
  readonly number?: number;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `{name}` for a path value; `{name*}` at the end takes the rest of the path, slashes included. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Path values that are more than any string. */
  readonly params?: Fields;
  readonly query?: Fields;
  /** Header names as they are written; a handler sees the values as they came. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `bytes`: taken as it is, whatever its type. */
  readonly body?: AnySchema | "bytes";
  readonly bodyOptional?: boolean;
  /** The body may also be YAML, by `Content-Type: application/yaml`. */
  readonly yaml?: true;
  /** The handler gets the body's bytes and reads them by the schema itself: a large one off the main thread. */
  readonly readBy?: "handler";
  readonly response: AnySchema;
  /** What else it can answer with, by content type: `text/event-stream`, a file's own bytes, … */
  readonly streams?: string;
  readonly errors?: readonly ErrorStatus[];
  /** A POST that creates: takes `Idempotency-Key`, unless its answer carries a token. */
  readonly creates?: boolean;
  /** The answer has an `ETag`; PATCH, PUT and DELETE then take `If-Match`. */
  readonly versioned?: boolean;
  /** It needs the data folder: a server that does not hold it passes the request on to the one that does. */
  readonly needsData?: true;
  readonly bodyLimit?: "codegen";
  readonly example?: { readonly body?: unknown; readonly response?: unknown };
}

/** Keeps the exact type of the endpoint, so that handlers and the client are typed by it. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}*` ? Bare : Name) | Names<Rest>
  : never;

type None = Record<never, never>;

/** The path values, after validation. */
export type Params<E extends Endpoint> = {
  readonly [Name in Names<E["path"]>]: E["params"] extends Fields
    ? Name extends keyof E["params"]
      ? Infer<E["params"][Name]>
      : string
    : string;
};
export type Query<E extends Endpoint> = E["query"] extends Fields
  ? Infer<ModelSchema<E["query"], None>>
  : None;
export type QueryInput<E extends Endpoint> = E["query"] extends Fields
  ? Input<ModelSchema<E["query"], None>>
  : None;
export type Body<E extends Endpoint> = E["body"] extends AnySchema
  ? Infer<E["body"]>
  : E["body"] extends "bytes"
    ? Uint8Array
    : undefined;
export type BodyInput<E extends Endpoint> = E["body"] extends AnySchema
  ? Input<E["body"]>
  : E["body"] extends "bytes"
    ? Uint8Array | string
    : undefined;
export type Response<E extends Endpoint> = Infer<E["response"]>;
