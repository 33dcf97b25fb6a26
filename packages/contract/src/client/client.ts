import type { Endpoint } from "../endpoint.ts";
import * as endpoints from "../endpoints/index.ts";
import { followEvents } from "./event-follower.ts";
import { allItems, listKey } from "./pages.ts";
import { prepareRequest, type UntypedCall } from "./request.ts";
import { readResponse } from "./response.ts";
import { createTransport } from "./transport.ts";
import type { Client, ClientOptions, FollowOptions, FullResponse } from "./types.ts";

const defaultTimeoutMs = 30_000;

/** A client with a method for each endpoint. Requires only `fetch`. */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options);

  async function callWithResponse(
    endpoint: Endpoint,
    call: UntypedCall = {},
  ): Promise<FullResponse<unknown>> {
    const request = prepareRequest(endpoint, call, options.baseUrl, options.environment);
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs;
    const limits = { signal: call.signal, timeout: () => AbortSignal.timeout(timeoutMs) };
    return transport.send(request, limits, (response) => readResponse(endpoint, response));
  }
  const callForBody = async (endpoint: Endpoint, call?: UntypedCall) =>
    (await callWithResponse(endpoint, call)).body;

  const bodies: Record<string, unknown> = {};
  const withResponse: Record<string, unknown> = {};
  const all: Record<string, unknown> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    bodies[name] = (call?: UntypedCall) => callForBody(endpoint, call);
    withResponse[name] = (call?: UntypedCall) => callWithResponse(endpoint, call);
    const key = listKey(endpoint);
    if (key === undefined) continue;
    all[name] = (call: UntypedCall = {}) =>
      allItems(endpoint, key, call, (page) => callForBody(endpoint, page));
  }
  const follow = (followOptions?: FollowOptions) => followEvents(transport, options, followOptions);
  // A loop cannot type each method by its endpoint, so the whole client is cast once.
  return { ...bodies, withResponse, all, followEvents: follow } as unknown as Client;
}
