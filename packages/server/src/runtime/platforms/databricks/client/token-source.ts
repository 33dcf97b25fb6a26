/** The bearer token of requests. */
export interface TokenSource {
  token(signal: AbortSignal): Promise<string>;
  /**
   * The workspace refused this token. Returns whether there can be a new token, which `token` then returns. Idempotent
   * for the same token.
   */
  refused(token: string): boolean;
}

export interface IssuedToken {
  readonly token: string;
  /** The lifetime of the token. */
  readonly seconds: number;
}

/** A workspace refuses a token from 30 s before its end. A request may wait and take a while, too. */
const marginMs = 120_000;

/** A personal access token: it is valid or not. */
export const fixedToken = (token: string): TokenSource => ({
  token: async () => token,
  refused: () => false,
});

/** Tokens that are fetched and renewed in time. Requests that need one at the same time share one fetch. */
export function renewedToken(
  fetchToken: () => Promise<IssuedToken>,
  now: () => number,
  margin = marginMs,
): TokenSource {
  let current: { readonly token: string; readonly renewAt: number } | undefined;
  let fetching: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const asked = now();
    const { token, seconds } = await fetchToken();
    // A short-lived token is used for half its lifetime.
    const lifetime = seconds * 1000;
    current = { token, renewAt: asked + Math.max(lifetime - margin, lifetime / 2) };
    return token;
  }

  return {
    async token(signal) {
      if (current && now() < current.renewAt) return current.token;
      fetching ??= renew().finally(() => {
        fetching = undefined;
      });
      return unlessAborted(fetching, signal);
    },
    refused(token) {
      if (current?.token === token) current = undefined;
      return true;
    },
  };
}

/** The fetch serves other requests, too: a request that is aborted only stops waiting for it. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  return promise;
}
