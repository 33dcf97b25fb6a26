import type { Endpoint } from "../endpoint.ts";
import * as endpoints from "../endpoints/index.ts";
import type { Operation } from "./operation.ts";
import { operationOf } from "./operations.ts";

/**
 * What a client must know about every endpoint. As JSON this is a tenth of the size of the schemas that it is derived
 * from.
 */
export const operations = Object.fromEntries(
  Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => [name, operationOf(endpoint)]),
) as Readonly<Record<keyof typeof endpoints, Operation>>;
