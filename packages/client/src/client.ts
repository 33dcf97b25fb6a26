import type { Calls, Event } from "./generated/api.ts";
import { operations } from "./generated/operations.ts";
import type {
  CallOptions,
  ClientOptions,
  FollowLogOptions,
  FollowOptions,
  FullResponse,
} from "./runtime/client/options.ts";
import { createUntypedClient } from "./runtime/client/untyped-client.ts";

/** The argument is optional if nothing in it is required. */
type Arguments<Call> =
  Record<never, never> extends Call ? [call?: Call & CallOptions] : [call: Call & CallOptions];

type ListName = { [Name in keyof Calls]: Calls[Name] extends { item: unknown } ? Name : never }[keyof Calls];

/** A method for each operation of the API, by its `operationId`. */
export type Client = {
  readonly [Name in keyof Calls]: (...call: Arguments<Calls[Name]["call"]>) => Promise<Calls[Name]["result"]>;
} & {
  /** The same calls. They return the ETag and the request id beside the body. */
  readonly withResponse: {
    readonly [Name in keyof Calls]: (
      ...call: Arguments<Calls[Name]["call"]>
    ) => Promise<FullResponse<Calls[Name]["result"]>>;
  };
  /**
   * Every item of a list, page by page. `query.limit` is the page size, `query.skip` the first item. With a filter or
   * `sort` it follows cursors, so that changes meanwhile neither skip nor repeat items.
   */
  readonly all: {
    readonly [Name in ListName]: (
      ...call: Arguments<Calls[Name]["call"]>
    ) => AsyncGenerator<Calls[Name]["item"], void, undefined>;
  };
  /**
   * Every event in order and exactly once, then new events, until you leave the loop or the signal aborts (then it
   * throws the signal's reason). After the first connection it reconnects for as long as it takes. Only a rejected
   * request (401, 403, 422, …) ends it.
   */
  followEvents(options?: FollowOptions): AsyncGenerator<Event, void, undefined>;
  /** The lines of a log as they are written, each exactly once. That of a run ends with it. */
  followLog<Name extends "readRunLog" | "readAgentLog" | "readAppLog">(
    name: Name,
    options: FollowLogOptions,
  ): AsyncGenerator<Calls[Name]["result"]["lines"][number], void, undefined>;
};

/** A client of the server at `baseUrl`. Requires only `fetch`. */
export const createClient = (options: ClientOptions): Client =>
  // A table cannot type each method, so the whole client is cast once.
  createUntypedClient(operations, options) as Client;
