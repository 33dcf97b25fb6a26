import type { Endpoint } from "../endpoint.ts";
import { Done } from "../endpoints/shared.ts";
import { getHealth } from "../endpoints/system.ts";
import type { Refs } from "../schema/index.ts";
import { header, problemReference, requestId } from "./problems.ts";
import type { Content, MediaType, Reference, ResponseObject } from "./types.ts";

export function responsesOf(
  endpoint: Endpoint,
  refs: Refs,
): Readonly<Record<string, ResponseObject | Reference>> {
  const responses: Record<string, ResponseObject | Reference> = { 200: success(endpoint, refs) };
  for (const status of statusesOf(endpoint)) responses[status] = problemReference(status);
  // A probe reads the same body in both cases.
  if (endpoint.path === getHealth.path) {
    responses[503] = { ...success(endpoint, refs), description: "Not ready.", content: notReady(refs) };
  }
  return responses;
}

/** The statuses that the endpoint lists, and those of every endpoint with its properties. */
function statusesOf(endpoint: Endpoint): number[] {
  const takesInput = endpoint.body ?? endpoint.query ?? endpoint.params;
  const statuses = new Set<number>([400, ...(endpoint.errors ?? []), 429, 500, 503]);
  if (endpoint.access !== "public") statuses.add(401).add(403);
  if (endpoint.body !== undefined) statuses.add(413);
  if (takesInput !== undefined) statuses.add(422);
  return [...statuses].sort((a, b) => a - b);
}

function success(endpoint: Endpoint, refs: Refs): ResponseObject {
  // A deleted resource has no version.
  const hasVersion = endpoint.versioned && endpoint.response !== Done;
  return {
    description: "Success.",
    headers: {
      ...(hasVersion && { ETag: header("ETag") }),
      ...(endpoint.creates && { "Idempotency-Replayed": header("IdempotencyReplayed") }),
      ...requestId,
    },
    content: contentOf(endpoint, refs),
  };
}

function contentOf({ response, streams, example }: Endpoint, refs: Refs): Content {
  const schema = response.jsonSchema(refs);
  const json: MediaType = { schema, ...(example?.response !== undefined && { example: example.response }) };
  if (streams === undefined) return { "application/json": json };
  const stream: MediaType = {
    schema: { type: "string", ...(!streams.startsWith("text/") && { format: "binary" }) },
  };
  // A response that is a string is the stream itself; it has no JSON form.
  return schema.type === "string" ? { [streams]: stream } : { "application/json": json, [streams]: stream };
}

function notReady(refs: Refs): Content {
  return {
    "application/json": {
      schema: getHealth.response.jsonSchema(refs),
      example: { status: "unavailable", live: true, ready: false, detail: "The database is unreachable." },
    },
  };
}
