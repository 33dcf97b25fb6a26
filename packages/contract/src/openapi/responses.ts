import { acceptsDryRun, type Endpoint, errorStatusesOf } from "../endpoint.ts";
import { isList } from "../endpoints/lists.ts";
import { Done } from "../endpoints/shared.ts";
import { getHealth } from "../endpoints/system.ts";
import type { Refs } from "../schema/index.ts";
import { isTagged } from "./parameters.ts";
import { header, problemReference, rateLimit, requestId } from "./problems.ts";
import type { Content, MediaType, Reference, ResponseObject } from "./types.ts";

export function responsesOf(
  endpoint: Endpoint,
  refs: Refs,
): Readonly<Record<string, ResponseObject | Reference>> {
  const responses: Record<string, ResponseObject | Reference> = { 200: success(endpoint, refs) };
  if (isTagged(endpoint)) responses[304] = notModified;
  for (const status of errorStatusesOf(endpoint)) responses[status] = problemReference(status);
  // A probe reads the same body when the server is ready and when it is not.
  if (endpoint.path === getHealth.path) {
    responses[503] = { ...success(endpoint, refs), description: "Not ready.", content: notReady(refs) };
  }
  return responses;
}

const notModified: ResponseObject = {
  description: "Not modified: `If-None-Match` names the current `ETag`. There is no body.",
  headers: { ETag: header("ETag"), ...requestId },
};

function success(endpoint: Endpoint, refs: Refs): ResponseObject {
  // A deleted resource has no version.
  const hasVersion = isTagged(endpoint) || (endpoint.versioned && endpoint.response !== Done);
  return {
    description: "Success.",
    headers: {
      ...(hasVersion && { ETag: header("ETag") }),
      ...(endpoint.creates && { "Idempotency-Replayed": header("IdempotencyReplayed") }),
      ...(acceptsDryRun(endpoint) && { "Dry-Run": header("DryRun") }),
      ...(endpoint.access !== "public" && rateLimit),
      ...(endpoint.number !== undefined &&
        isList(endpoint) && { "X-Ignored-Parameters": header("IgnoredParameters") }),
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
  // If the schema is a string, the response is only a stream and has no JSON form.
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
