/** A request to another server on behalf of a caller. */
export interface OutboundRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs: number;
  /** A longer body is an error. Absent: only the first MiB is read. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or its first MiB if the request had no `maxBytes`. */
  readonly body: string;
}
