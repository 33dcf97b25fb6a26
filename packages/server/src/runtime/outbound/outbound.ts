import dns from "node:dns/promises";
import type { Settings } from "../../settings.ts";
import { hostOf, type Lookup, publicAddresses, readUrl } from "./address.ts";
import { exchange } from "./http-exchange.ts";
import { readAllowed } from "./networks.ts";
import { hostError, networkError, OutboundError } from "./outbound-error.ts";
import type { OutboundRequest, OutboundResponse } from "./outbound-request.ts";

/**
 * HTTP client for addresses that callers name. It rejects those in private networks (unless a setting allows them),
 * checking the address that it connects to and not only its name, and does not follow redirects: they are returned as
 * responses.
 */
export interface Outbound {
  /** Why an address cannot be called, as far as that is known without calling it; undefined: it can. */
  refusal(url: string): Promise<string | undefined>;
  /** Throws an error with a message for users; `retryable: true` if a retry may succeed. */
  send(request: OutboundRequest): Promise<OutboundResponse>;
}

/** The maximum time of a DNS lookup that a caller waits for. */
const lookupMs = 5_000;

const lookupAll: Lookup = (host) => dns.lookup(host, { all: true });

export function createOutbound(
  { PLATFORM_PRIVATE_ADDRESSES }: Pick<Settings, "PLATFORM_PRIVATE_ADDRESSES">,
  lookup: Lookup = lookupAll,
): Outbound {
  const allowed = readAllowed(PLATFORM_PRIVATE_ADDRESSES);
  const find = (url: URL, signal: AbortSignal) =>
    unlessAborted(publicAddresses(hostOf(url), lookup, allowed), signal);

  return {
    async refusal(text) {
      try {
        await find(readUrl(text), AbortSignal.timeout(lookupMs));
        return undefined;
      } catch (error) {
        // A name that does not resolve now may resolve when it is called.
        return error instanceof OutboundError && !error.retryable ? error.message : undefined;
      }
    },
    async send({ url: text, timeoutMs, signal: stop, ...request }) {
      const url = readUrl(text);
      const host = hostOf(url);
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = stop ? AbortSignal.any([timeout, stop]) : timeout;
      try {
        return await exchange(url, await find(url, signal), { ...request, signal });
      } catch (error) {
        stop?.throwIfAborted();
        if (!timeout.aborted) throw networkError(host, error);
        throw hostError(host, `did not respond within ${timeoutMs / 1000} s.`, true);
      }
    },
  };
}

/** A lookup cannot be stopped, but the caller need not wait for it. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
