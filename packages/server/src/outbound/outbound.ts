/** A request to somebody else's server, on behalf of a caller. */
export interface OutboundRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The first MiB of it. */
  readonly body: string;
}

/**
 * The way out to addresses that callers name. It refuses those in private networks (unless a setting allows them), at the
 * address that is connected to and not only by its name, and follows no redirects: those are answers.
 */
export interface Outbound {
  /** Why an address cannot be called, as far as that can be said without calling it; undefined: it can. */
  refusal(url: string): Promise<string | undefined>;
  /** Throws a sentence for people; `passing: true` on the error where it may be better later. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
}
