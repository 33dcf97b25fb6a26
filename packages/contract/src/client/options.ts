export interface ClientOptions {
  /** The server's URL, for example `http://127.0.0.1:8000`. In a browser `""` is the server of the page. */
  readonly baseUrl: string;
  /** A token, or a function that is called before each attempt. Without it only public endpoints work. */
  readonly token?: string | (() => string | Promise<string>);
  /** The default environment of calls. */
  readonly environment?: string;
  /** Time limit of one attempt, including the response body. Default: 30 seconds. */
  readonly timeoutMs?: number;
  /** Number of retries of a safe call. Default: 2. */
  readonly retries?: number;
  readonly fetch?: typeof fetch;
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** A number from 0 to 1, for the jitter of the backoff. */
  readonly random?: () => number;
}

/** Options of every call. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Time limit of one attempt. Default: that of the client. */
  readonly timeoutMs?: number;
}

export interface FullResponse<T> {
  readonly body: T;
  readonly status: number;
  /** Send it as `ifMatch` of a later change. */
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
  /** The value of any other header. */
  header(name: string): string | undefined;
}

export interface FollowLogOptions {
  readonly params: Readonly<Record<string, string>>;
  /** Only lines after this number. Default: what the log returns without it. */
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** Reconnects after this time without data or heartbeat. Default: 45 seconds. */
  readonly idleMs?: number;
}

export interface FollowOptions {
  /** Only events after this sequence number. Default: 0, all events. */
  readonly after?: number;
  readonly kind?: string;
  readonly subject?: string;
  /** Only events of this environment, by name or id. Default: of all that the caller may see. */
  readonly environment?: string;
  readonly signal?: AbortSignal;
  /** Reconnects after this time without data or heartbeat. Default: 45 seconds. */
  readonly idleMs?: number;
}
