import type { BodyInput, Endpoint, Params, QueryInput, Response } from "../endpoint.ts";
import type { Event } from "../endpoints/events.ts";
import type * as endpoints from "../endpoints/index.ts";
import type { Infer } from "../schema/index.ts";

export interface ClientOptions {
  /** Where the server is, for example `http://127.0.0.1:8000`; in a browser `""` is the page's own server. */
  readonly baseUrl: string;
  /** A token, or what gives one: asked before each attempt. Without it only public endpoints answer. */
  readonly token?: string | (() => string | Promise<string>);
  /** The environment of every call that takes one and names none. */
  readonly environment?: string;
  /** For one attempt, its answer included: 30 seconds unless told. */
  readonly timeoutMs?: number;
  /** How often a safe call that failed is repeated: 2 unless told. */
  readonly retries?: number;
  readonly fetch?: typeof fetch;
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 to 1, for the jitter of waiting times. */
  readonly random?: () => number;
}

/** What an endpoint answers; a file's bytes are bytes here, whatever its schema calls them. */
export type Answer<E extends Endpoint> = E["streams"] extends "application/octet-stream"
  ? Uint8Array
  : Response<E>;

export interface FullAnswer<T> {
  readonly body: T;
  readonly status: number;
  /** For `ifMatch` of a later change. */
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
}

type Nothing = Record<never, never>;
type ParamsOf<E extends Endpoint> = [keyof Params<E>] extends [never]
  ? Nothing
  : { readonly params: Params<E> };
type QueryOf<E extends Endpoint> = [keyof QueryInput<E>] extends [never]
  ? Nothing
  : { readonly query?: QueryInput<E> };
type BodyOf<E extends Endpoint> = [BodyInput<E>] extends [undefined]
  ? Nothing
  : E["bodyOptional"] extends true
    ? { readonly body?: BodyInput<E> }
    : { readonly body: BodyInput<E> };
type KeyOf<E extends Endpoint> = E["creates"] extends true
  ? {
      /** Makes the call safe to repeat, by you and by this client. */
      readonly idempotencyKey?: string;
    }
  : Nothing;
type VersionOf<E extends Endpoint> = E["versioned"] extends true
  ? E["method"] extends "PATCH" | "PUT" | "DELETE"
    ? {
        /** The `etag` of what you have read: refused as `stale` if somebody changed it in between. */
        readonly ifMatch?: string;
      }
    : Nothing
  : Nothing;
type EnvironmentOf<E extends Endpoint> = E["headers"] extends { readonly "X-Environment-Id": string }
  ? {
      /** Instead of the client's; null: none. */
      readonly environment?: string | null;
    }
  : Nothing;

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** What a call of an endpoint takes. */
export type Call<E extends Endpoint> = ParamsOf<E> &
  QueryOf<E> &
  BodyOf<E> &
  KeyOf<E> &
  VersionOf<E> &
  EnvironmentOf<E> &
  CallOptions;

/** A call may be left out where it needs neither path values nor a body. */
type Arguments<E extends Endpoint> = Nothing extends ParamsOf<E> & BodyOf<E>
  ? [call?: Call<E>]
  : [call: Call<E>];

type Endpoints = typeof endpoints;
/** The key itself where it is the only one. */
type OnlyOne<Key, Keys = Key> = Key extends unknown ? ([Keys] extends [Key] ? Key : never) : never;
type List<T> = T extends { readonly total: number }
  ? OnlyOne<{ [K in keyof T]: T[K] extends readonly unknown[] ? K : never }[keyof T]>
  : never;
type ListName = {
  [Name in keyof Endpoints]: [List<Response<Endpoints[Name]>>] extends [never] ? never : Name;
}[keyof Endpoints];
type Item<T, Key extends keyof T> = T[Key] extends readonly (infer One)[] ? One : never;

export interface FollowOptions {
  /** Only events behind this sequence; 0: all from the first on. */
  readonly after?: number;
  readonly kind?: string;
  readonly subject?: string;
  readonly signal?: AbortSignal;
  /** A connection on which nothing came for so long, no heartbeat either, is made anew: 45 seconds unless told. */
  readonly idleMs?: number;
}

export type Client = {
  readonly [Name in keyof Endpoints]: (
    ...call: Arguments<Endpoints[Name]>
  ) => Promise<Answer<Endpoints[Name]>>;
} & {
  /** The same calls, answering with the ETag and the request's id beside the body. */
  readonly withResponse: {
    readonly [Name in keyof Endpoints]: (
      ...call: Arguments<Endpoints[Name]>
    ) => Promise<FullAnswer<Answer<Endpoints[Name]>>>;
  };
  /** Every item of a list, page by page; `query.limit` is the size of a page, `query.skip` where to begin. */
  readonly all: {
    readonly [Name in ListName]: (
      ...call: Arguments<Endpoints[Name]>
    ) => AsyncGenerator<Item<Response<Endpoints[Name]>, List<Response<Endpoints[Name]>>>, void, undefined>;
  };
  /**
   * Every event in order, each once, then those that come, until the loop is left or the signal ends (it then
   * throws the reason of the signal). Once it
   * was connected it connects again by itself for as long as it takes; only a refusal (401, 403, 422 …) ends it.
   */
  followEvents(options?: FollowOptions): AsyncGenerator<Infer<typeof Event>, void, undefined>;
};
