import dns from "node:dns/promises";
import type { Settings } from "../../settings.ts";
import { hostOf, type Lookup, publicAddresses, readUrl } from "./address.ts";
import { exchange } from "./http-exchange.ts";
import { readAllowed } from "./networks.ts";
import { hostError, networkError, OutboundError } from "./outbound-error.ts";
import type { OutboundAnswer, OutboundRequest } from "./outbound-request.ts";

/**
 * The way out to addresses that callers name. It refuses those in private networks (unless a setting allows them), at the
 * address that is connected to and not only by its name, and follows no redirects: those are answers.
 */
export interface Outbound {
  /** Why an address cannot be called, as far as that can be said without calling it; undefined: it can. */
  refusal(url: string): Promise<string | undefined>;
  /** Throws a sentence for people; `retryable: true` on the error where it may be better later. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
}

/** How long finding out where a host is may take while a caller waits for nothing else. */
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
        // A name that cannot be found now may be there when it is called.
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
        throw hostError(host, `did not answer within ${timeoutMs / 1000} s.`, true);
      }
    },
  };
}

/** A lookup cannot be stopped, but it need not be waited for. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
