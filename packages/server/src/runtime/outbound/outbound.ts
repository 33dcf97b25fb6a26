import type { IncomingMessage } from "node:http";
import { allowedAddresses, type EgressRules, type Lookup, plainHost } from "@lakehelm/engine/egress";
import { portOf, readUrl } from "./address.ts";
import { type Connections, exchange, openExchange } from "./http-exchange.ts";
import { hostError, networkError, OutboundError } from "./outbound-error.ts";
import type { OutboundRequest, OutboundResponse } from "./outbound-request.ts";

/**
 * HTTP client for addresses that callers name. It rejects addresses that the rules do not allow, and checks the address
 * that it connects to, not only the name. It does not follow redirects: they are returned as responses.
 */
export interface Outbound {
  /** Why an address cannot be called, as far as that is known without calling it; undefined: it can. */
  refusal(url: string): Promise<string | undefined>;
  /** Throws an error with a message for users; `retryable: true` if a retry may succeed. */
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /**
   * Like `send`, for a response that is read while it arrives: resolves when its headers have arrived. `timeoutMs` is
   * the longest time without a byte; the size is not limited.
   */
  open(request: Omit<OutboundRequest, "maxBytes">): Promise<IncomingMessage>;
}

/** The maximum time of a DNS lookup that a caller waits for. */
const lookupMs = 5_000;

/** `connections`: kept for later requests to the same host. Absent: one connection per request. */
export function createOutbound(rules: EgressRules, lookup?: Lookup, connections?: Connections): Outbound {
  const find = (url: URL, signal: AbortSignal) =>
    unlessAborted(allowedAddresses(rules, url.hostname, portOf(url), lookup), signal);

  return {
    async refusal(text) {
      try {
        const url = readUrl(text);
        await find(url, AbortSignal.timeout(lookupMs)).catch((error) => {
          throw networkError(plainHost(url.hostname), error);
        });
        return undefined;
      } catch (error) {
        // A name that does not resolve now may resolve when it is called.
        return error instanceof OutboundError && !error.retryable ? error.message : undefined;
      }
    },
    async send({ url: text, timeoutMs, signal: stop, ...request }) {
      const url = readUrl(text);
      const host = plainHost(url.hostname);
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = stop ? AbortSignal.any([timeout, stop]) : timeout;
      try {
        return await exchange(url, await find(url, signal), { ...request, signal }, connections);
      } catch (error) {
        stop?.throwIfAborted();
        if (!timeout.aborted) throw networkError(host, error);
        throw hostError(host, `did not respond within ${timeoutMs / 1000} s.`, true);
      }
    },
    async open({ url: text, timeoutMs, signal, ...request }) {
      const url = readUrl(text);
      try {
        const addresses = await find(url, AbortSignal.timeout(lookupMs));
        return await openExchange(url, addresses, { ...request, timeoutMs, ...(signal && { signal }) });
      } catch (error) {
        signal?.throwIfAborted();
        throw networkError(plainHost(url.hostname), error);
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
