import { sleep as realSleep, retryWaitMs } from "./backoff.ts";
import { ApiError, errorOf } from "./error.ts";
import type { ClientOptions } from "./options.ts";
import type { PreparedRequest } from "./request.ts";

export interface Transport {
  /** Makes one attempt. The time limit includes `read`. An error response is thrown. */
  attempt<T>(
    request: PreparedRequest,
    limits: AttemptLimits,
    read: (response: Response) => Promise<T>,
  ): Promise<T>;
  /** Makes an attempt and retries it, as the request and the options allow. */
  send<T>(
    request: PreparedRequest,
    limits: AttemptLimits,
    read: (response: Response) => Promise<T>,
  ): Promise<T>;
  readonly sleep: NonNullable<ClientOptions["sleep"]>;
  readonly random: () => number;
}

interface AttemptLimits {
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
  /** Starts the time limit of an attempt. */
  timeout(): AbortSignal;
}

export function createTransport(options: ClientOptions): Transport {
  const { token, retries = 2, sleep = realSleep, random = Math.random } = options;
  // Browsers require that fetch is called on globalThis.
  const fetchNow = options.fetch ?? ((input, init) => globalThis.fetch(input, init));

  return { attempt, send, sleep, random };

  async function attempt<T>(
    request: PreparedRequest,
    limits: AttemptLimits,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { url, method, body } = request;
    const currentToken = typeof token === "function" ? await token() : token;
    const headers =
      currentToken === undefined
        ? request.headers
        : { authorization: `Bearer ${currentToken}`, ...request.headers };
    const timeout = limits.timeout();
    const signal = limits.signal ? AbortSignal.any([limits.signal, timeout]) : timeout;
    try {
      const response = await fetchNow(url, { method, headers, signal, ...(body !== undefined && { body }) });
      if (!response.ok) throw await errorOf(response, Date.now());
      return await read(response);
    } catch (error) {
      if (limits.signal?.aborted) throw limits.signal.reason;
      if (error instanceof ApiError) throw error;
      if (timeout.aborted)
        throw new ApiError("timeout", `No complete response from ${url} within the time limit.`, {
          cause: error,
        });
      throw new ApiError("network", `No response from ${url}.`, { cause: error });
    }
  }

  async function send<T>(
    request: PreparedRequest,
    limits: AttemptLimits,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        return await attempt(request, limits, read);
      } catch (error) {
        const wait = request.safe && failures <= retries ? retryWaitMs(error, failures, random) : undefined;
        if (wait === undefined) throw error;
        await sleep(wait, limits.signal);
      }
    }
  }
}
