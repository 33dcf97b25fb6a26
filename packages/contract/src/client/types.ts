import type {
  Endpoint,
  EndpointBodyInput,
  EndpointParams,
  EndpointQueryInput,
  EndpointResponse,
  NoKeys,
} from "../endpoint.ts";
import type { Event } from "../endpoints/events.ts";
import type * as endpoints from "../endpoints/index.ts";
import type { Infer } from "../schema/index.ts";
import type { CallOptions, FollowLogOptions, FollowOptions, FullResponse } from "./options.ts";

/** What a call returns. A file is bytes here, although its schema is a string. */
export type ClientResult<E extends Endpoint> = E["streams"] extends "application/octet-stream"
  ? Uint8Array
  : EndpointResponse<E>;

type ParamsOption<E extends Endpoint> = [keyof EndpointParams<E>] extends [never]
  ? NoKeys
  : { readonly params: EndpointParams<E> };
type QueryOption<E extends Endpoint> = [keyof EndpointQueryInput<E>] extends [never]
  ? NoKeys
  : { readonly query?: EndpointQueryInput<E> };
type BodyOption<E extends Endpoint> = [EndpointBodyInput<E>] extends [undefined]
  ? NoKeys
  : E["bodyOptional"] extends true
    ? { readonly body?: EndpointBodyInput<E> }
    : { readonly body: EndpointBodyInput<E> };
type IdempotencyOption<E extends Endpoint> = E["creates"] extends true
  ? {
      /** Makes the call safe to retry, for you and for this client. */
      readonly idempotencyKey?: string;
    }
  : NoKeys;
type VersionOption<E extends Endpoint> = E["versioned"] extends true
  ? E["method"] extends "PATCH" | "PUT" | "DELETE"
    ? {
        /** The `etag` that you read. The call fails as `stale` if there is a newer version. */
        readonly ifMatch?: string;
      }
    : NoKeys
  : NoKeys;
type EnvironmentOption<E extends Endpoint> = E["headers"] extends { readonly "X-Environment-Id": string }
  ? {
      /** Replaces the client's default; null: no environment. */
      readonly environment?: string | null;
    }
  : NoKeys;

type DryRunOption<E extends Endpoint> = E["method"] extends "GET"
  ? NoKeys
  : E["effect"] extends string
    ? NoKeys
    : {
        /** Returns the answer that the call would get, and writes nothing. */
        readonly dryRun?: boolean;
      };

/** The argument of a call. */
export type ClientCall<E extends Endpoint> = ParamsOption<E> &
  QueryOption<E> &
  BodyOption<E> &
  IdempotencyOption<E> &
  VersionOption<E> &
  EnvironmentOption<E> &
  DryRunOption<E> &
  CallOptions;

/** The argument is optional if the call needs neither path parameters nor a body. */
type Arguments<E extends Endpoint> = NoKeys extends ParamsOption<E> & BodyOption<E>
  ? [call?: ClientCall<E>]
  : [call: ClientCall<E>];

type Endpoints = typeof endpoints;
/** The key if it is the only one, otherwise never. */
type SingleKey<Key, Keys = Key> = Key extends unknown ? ([Keys] extends [Key] ? Key : never) : never;
type ListKey<T> = T extends { readonly total: number }
  ? SingleKey<{ [K in keyof T]-?: T[K] extends readonly unknown[] ? K : never }[keyof T]>
  : never;
type ListEndpointName = {
  [Name in keyof Endpoints]: [ListKey<EndpointResponse<Endpoints[Name]>>] extends [never] ? never : Name;
}[keyof Endpoints];
type ListItem<T, Key extends keyof T> = T[Key] extends readonly (infer One)[] ? One : never;

export type Client = {
  readonly [Name in keyof Endpoints]: (
    ...call: Arguments<Endpoints[Name]>
  ) => Promise<ClientResult<Endpoints[Name]>>;
} & {
  /** The same calls, but they also return the ETag and the request id. */
  readonly withResponse: {
    readonly [Name in keyof Endpoints]: (
      ...call: Arguments<Endpoints[Name]>
    ) => Promise<FullResponse<ClientResult<Endpoints[Name]>>>;
  };
  /**
   * Every item of a list, page by page. `query.limit` is the page size, `query.skip` the first item. With a filter or
   * `sort` the iteration follows cursors, so that concurrent changes neither skip nor repeat items.
   */
  readonly all: {
    readonly [Name in ListEndpointName]: (
      ...call: Arguments<Endpoints[Name]>
    ) => AsyncGenerator<
      ListItem<EndpointResponse<Endpoints[Name]>, ListKey<EndpointResponse<Endpoints[Name]>>>,
      void,
      undefined
    >;
  };
  /**
   * Every event in order and exactly once, then new events, until you leave the loop or the signal aborts (then it
   * throws the signal's reason). After the first connection it reconnects without a limit. Only a rejected request
   * (401, 403, 422, …) ends it.
   */
  followEvents(options?: FollowOptions): AsyncGenerator<Infer<typeof Event>, void, undefined>;
  /** The lines of a log as they are written, each exactly once. The log of a run ends when the run ends. */
  followLog<Name extends "readRunLog" | "readAgentLog" | "readAppLog">(
    name: Name,
    options: FollowLogOptions,
  ): AsyncGenerator<EndpointResponse<(typeof endpoints)[Name]>["lines"][number], void, undefined>;
};
