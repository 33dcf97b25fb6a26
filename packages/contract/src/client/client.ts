import type { Endpoint } from "../endpoint.ts";
import * as endpoints from "../endpoints/index.ts";
import { readAnswer } from "./answer.ts";
import { followEvents } from "./follow.ts";
import { allItems, listKey } from "./pages.ts";
import { type AnyCall, prepare } from "./request.ts";
import { createTransport } from "./transport.ts";
import type { Client, ClientOptions, FollowOptions, FullAnswer } from "./types.ts";

const defaultTimeoutMs = 30_000;

/** A method for each endpoint of the contract, by its name there. It needs nothing but `fetch`. */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options);

  async function callFully(endpoint: Endpoint, call: AnyCall = {}): Promise<FullAnswer<unknown>> {
    const request = prepare(endpoint, call, options.baseUrl, options.environment);
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs;
    const patience = { signal: call.signal, timeout: () => AbortSignal.timeout(timeoutMs) };
    return transport.send(request, patience, (response) => readAnswer(endpoint, response));
  }
  const callPlainly = async (endpoint: Endpoint, call?: AnyCall) => (await callFully(endpoint, call)).body;

  const plain: Record<string, unknown> = {};
  const withResponse: Record<string, unknown> = {};
  const all: Record<string, unknown> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    plain[name] = (call?: AnyCall) => callPlainly(endpoint, call);
    withResponse[name] = (call?: AnyCall) => callFully(endpoint, call);
    const key = listKey(endpoint);
    if (key === undefined) continue;
    all[name] = (call: AnyCall = {}) => allItems(endpoint, key, call, (page) => callPlainly(endpoint, page));
  }
  const follow = (following?: FollowOptions) => followEvents(transport, options, following);
  // The one place where a loop over the endpoints meets their exact types.
  return { ...plain, withResponse, all, followEvents: follow } as unknown as Client;
}
