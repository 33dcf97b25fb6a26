import { ApiError, errorOf } from "./error.ts";
import type { Prepared } from "./request.ts";
import type { ClientOptions } from "./types.ts";
import { sleep as realSleep, retryWaitMs } from "./waiting.ts";

export interface Transport {
  /** One attempt, its answer read by `read` within the time; an answer that is an error is thrown. */
  attempt<T>(request: Prepared, patience: Patience, read: (response: Response) => Promise<T>): Promise<T>;
  /** Attempts, as many as the request and the options allow. */
  send<T>(request: Prepared, patience: Patience, read: (response: Response) => Promise<T>): Promise<T>;
  readonly sleep: NonNullable<ClientOptions["sleep"]>;
  readonly random: () => number;
}

interface Patience {
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** Ends the attempt when it has taken too long. */
  timeout(): AbortSignal;
}

export function createTransport(options: ClientOptions): Transport {
  const { token, retries = 2, sleep = realSleep, random = Math.random } = options;
  // Called as a method of the options it would lose its receiver, which browsers insist on.
  const fetchNow = options.fetch ?? ((input, init) => globalThis.fetch(input, init));

  return { attempt, send, sleep, random };

  async function attempt<T>(
    request: Prepared,
    patience: Patience,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { url, method, body } = request;
    const given = typeof token === "function" ? await token() : token;
    const headers =
      given === undefined ? request.headers : { authorization: `Bearer ${given}`, ...request.headers };
    const timeout = patience.timeout();
    const signal = patience.signal ? AbortSignal.any([patience.signal, timeout]) : timeout;
    try {
      const response = await fetchNow(url, { method, headers, signal, ...(body !== undefined && { body }) });
      if (!response.ok) throw await errorOf(response, Date.now());
      return await read(response);
    } catch (error) {
      if (patience.signal?.aborted) throw patience.signal.reason;
      if (error instanceof ApiError) throw error;
      if (timeout.aborted)
        throw new ApiError("timeout", `No whole answer of ${url} came in time.`, { cause: error });
      throw new ApiError("network", `No answer came from ${url}.`, { cause: error });
    }
  }

  async function send<T>(
    request: Prepared,
    patience: Patience,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        return await attempt(request, patience, read);
      } catch (error) {
        const wait = request.safe && failures <= retries ? retryWaitMs(error, failures, random) : undefined;
        if (wait === undefined) throw error;
        await sleep(wait, patience.signal);
      }
    }
  }
}
