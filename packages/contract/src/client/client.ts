import { operations } from "./operation-table.ts";
import type { ClientOptions } from "./options.ts";
import type { Client } from "./types.ts";
import { createUntypedClient } from "./untyped-client.ts";

/** A client with a method for each endpoint. Requires only `fetch`. */
export function createClient(options: ClientOptions): Client {
  // TypeScript cannot type methods that a loop adds, so the whole client is cast once.
  return createUntypedClient(operations, options) as Client;
}
