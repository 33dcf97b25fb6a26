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
  /** The same calls, but they also return the ETag and the request id. */
  readonly withResponse: {
    readonly [Name in keyof Calls]: (
      ...call: Arguments<Calls[Name]["call"]>
    ) => Promise<FullResponse<Calls[Name]["result"]>>;
  };
  /**
   * Every item of a list, page by page. `query.limit` is the page size, `query.skip` the first item. With a filter or
   * `sort` the iteration follows cursors, so that concurrent changes neither skip nor repeat items.
   */
  readonly all: {
    readonly [Name in ListName]: (
      ...call: Arguments<Calls[Name]["call"]>
    ) => AsyncGenerator<Calls[Name]["item"], void, undefined>;
  };
  /**
   * Every event in order and exactly once, then new events, until you leave the loop or the signal aborts (then it
   * throws the signal's reason). After the first connection it reconnects without a limit. Only a rejected request
   * (401, 403, 422, …) ends it.
   */
  followEvents(options?: FollowOptions): AsyncGenerator<Event, void, undefined>;
  /** The lines of a log as they are written, each exactly once. The log of a run ends when the run ends. */
  followLog<Name extends "readRunLog" | "readAgentLog" | "readAppLog">(
    name: Name,
    options: FollowLogOptions,
  ): AsyncGenerator<Calls[Name]["result"]["lines"][number], void, undefined>;
};

/** A client of the server at `baseUrl`. Requires only `fetch`. */
export const createClient = (options: ClientOptions): Client =>
  // TypeScript cannot type methods that are made from a table, so the whole client is cast once.
  createUntypedClient(operations, options) as Client;
