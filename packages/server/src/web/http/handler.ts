import type { Readable } from "node:stream";
import type {
  Access,
  Endpoint,
  EndpointBody,
  EndpointParams,
  EndpointQuery,
  EndpointResponse,
} from "@lakehelm/contract";
import type { ValidationError } from "@lakehelm/contract/schema";
import type { Text } from "../../core/store/collection.ts";
import type { ExpectedVersion, SaveAnswer } from "../../core/store/requests.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { StreamMessage } from "../../core/stream-message.ts";

export type Role = Exclude<Access, "public">;

/** The role on the whole server. With `none`, a caller has only its roles in environments. */
export type ServerRole = Role | "none";

/** An authenticated caller. */
export interface Caller {
  readonly name: string;
  /** The role on the whole server; while a request is served, the role in the environment of the request. */
  readonly role: ServerRole;
  /** The role on the whole server, if `role` is that in an environment. */
  readonly serverRole?: ServerRole;
  /** Roles in environments, by environment id: each replaces `role` there. Undefined: none. */
  readonly grants?: ReadonlyMap<string, Role>;
  readonly authType: "service_token" | "client_jwt" | "user_token";
  /** Undefined for the service, a client, and processes of the server. */
  readonly user?: { readonly id: string; readonly session: string | undefined };
}

/** One validated request. */
export interface Call<E extends Endpoint = Endpoint> {
  readonly params: EndpointParams<E>;
  readonly query: EndpointQuery<E>;
  readonly body: E extends { readonly readBy: "handler" } ? Uint8Array : EndpointBody<E>;
  /** The text of a YAML body. */
  readonly yaml?: string | undefined;
  readonly caller: Caller;
  readonly context: ChangeContext;
  /** The IP address of the caller. */
  readonly client: string;
  /** Aborted when the caller disconnects or the server stops. */
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
  /** What `If-Match` accepts. */
  readonly expectedVersion: ExpectedVersion | undefined;
  /** Steps for the change that creates: they store this answer for the `Idempotency-Key` of the call, if it has one. */
  readonly saveAnswer: SaveAnswer;
}

/** The result of a handler: a value of the endpoint's response type, or its JSON text. */
export type HandlerResult<T> =
  | { readonly body: T; readonly version?: number; readonly status?: number }
  | {
      readonly text: Text<T>;
      readonly version?: number;
      /** Parts of the answer can change without a new version, so the `ETag` also has a digest of the answer. */
      readonly isComputed?: true;
    }
  | {
      readonly stream: Readable;
      readonly contentType: string;
      readonly etag?: string;
      readonly status?: number;
    }
  /** Bytes that are sent as they are: an answer of megabytes would be copied five times if it became one text. */
  | {
      readonly bytes: readonly (Uint8Array | string)[];
      readonly contentType: string;
      /** Further response headers, with names in lower case. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly messages: AsyncIterable<StreamMessage> }
  /** Validation errors of a body that the handler reads itself: a 422. */
  | { readonly errors: readonly ValidationError[] };

type Result<E extends Endpoint> = HandlerResult<EndpointResponse<E>>;

/** A handler may answer without a promise. */
type Handler<E extends Endpoint> = (call: Call<E>) => Result<E> | Promise<Result<E>>;

/** Handlers by operation id. */
export type Handlers<Endpoints extends Record<string, Endpoint>> = {
  readonly [Name in keyof Endpoints]: Handler<Endpoints[Name]>;
};
