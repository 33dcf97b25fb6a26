import type { Readable } from "node:stream";
import type {
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
import type { Caller } from "./caller.ts";

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
  | { readonly text: Text<T>; readonly version?: number }
  | {
      readonly stream: Readable;
      readonly contentType: string;
      readonly etag?: string;
      readonly status?: number;
    }
  | { readonly bytes: Buffer | string; readonly contentType: string }
  | { readonly messages: AsyncIterable<StreamMessage> }
  /** Validation errors of a body that the handler reads itself: a 422. */
  | { readonly errors: readonly ValidationError[] };

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<HandlerResult<EndpointResponse<E>>>;

/** Handlers by operation id. */
export type Handlers<Endpoints extends Record<string, Endpoint>> = {
  readonly [Name in keyof Endpoints]: Handler<Endpoints[Name]>;
};
