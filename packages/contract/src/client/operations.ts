import type { Endpoint } from "../endpoint.ts";
import { ModelSchema } from "../schema/index.ts";
import type { ListOperation, Operation } from "./operation.ts";

export function operationOf(endpoint: Endpoint): Operation {
  const { method, path, body, streams, headers, creates, response } = endpoint;
  const list = listOf(endpoint);
  // Events and queries also have a JSON form; files and metrics have none.
  const onlyStreams = streams !== undefined && response.jsonSchema(new Map()).type === "string";
  return {
    method,
    path,
    ...(body !== undefined && { body: body === "bytes" ? "bytes" : "json" }),
    ...(onlyStreams && { reads: streams }),
    ...(headers !== undefined && "X-Environment-Id" in headers && { environment: true as const }),
    ...(creates && { creates: true as const }),
    ...(list && { list }),
  };
}

/** A list response is `{<key>: [...], total}`, with exactly one list. */
function listOf({ query, response }: Endpoint): ListOperation | undefined {
  if (!(response instanceof ModelSchema) || !("total" in response.fields)) return undefined;
  const lists = Object.entries<{ jsonSchema(refs: Map<string, object>): { type?: unknown } }>(
    response.fields,
  );
  const [first, second] = lists.filter(([, field]) => field.jsonSchema(new Map()).type === "array");
  if (first === undefined || second !== undefined) return undefined;
  return { key: first[0], pageable: query !== undefined && "skip" in query };
}
