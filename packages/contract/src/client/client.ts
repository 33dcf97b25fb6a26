import type { Endpoint } from "../endpoint.ts";
import * as endpoints from "../endpoints/index.ts";
import type { Operation } from "./operation.ts";
import { operationOf } from "./operations.ts";
import type { ClientOptions } from "./options.ts";
import type { Client } from "./types.ts";
import { createUntypedClient } from "./untyped-client.ts";

/** A client with a method for each endpoint. Requires only `fetch`. */
export function createClient(options: ClientOptions): Client {
  const operations = Object.entries<Endpoint>(endpoints).map(([name, endpoint]): [string, Operation] => [
    name,
    operationOf(endpoint),
  ]);
  const untyped = createUntypedClient(
    { ...Object.fromEntries(operations), readEvents: operationOf(endpoints.readEvents) },
    options,
  );
  // A loop cannot type each method by its endpoint, so the whole client is cast once.
  return untyped as Client;
}
