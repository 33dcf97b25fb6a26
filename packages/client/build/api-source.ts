import { acceptsDryRun, type Endpoint, endpoints } from "@lakehelm/contract";
import { operationOf } from "@lakehelm/contract/client";
import type { JsonSchema, Refs } from "@lakehelm/contract/schema";
import { comment, createSchemaTypes, type SchemaTypes } from "./schema-types.ts";

const named = Object.entries<Endpoint>(endpoints);

/** The types of every call, with its argument and its result. */
export function apiSource(): string {
  const refs: Refs = new Map();
  for (const [, { response }] of named) response.jsonSchema(refs);
  const requests = named.flatMap(([, { body }]) => (typeof body === "object" ? [body.jsonSchema(refs)] : []));
  const types = createSchemaTypes(refs, requests);
  const calls = named.map(([name, endpoint]) => callSource(name, endpoint, types, refs));
  return [
    header,
    "/** By `operationId`: what a call takes and returns. */",
    `export interface Calls {\n${calls.join("")}}\n`,
    types.declarations(),
  ].join("\n");
}

/** The endpoints as data. */
export function operationsSource(): string {
  const rows = named.map(([name, endpoint]) => `  ${name}: ${JSON.stringify(operationOf(endpoint))},\n`);
  return `${header}
import type { Operation } from "../runtime/client/operation.ts";

export const operations = {
${rows.join("")}} satisfies Record<string, Operation>;
`;
}

const header = "// Generated from Lakehelm's contract.\n";

function callSource(name: string, endpoint: Endpoint, types: SchemaTypes, refs: Refs): string {
  const { summary, description = "" } = endpoint;
  const { list } = operationOf(endpoint);
  const result =
    endpoint.streams === "application/octet-stream"
      ? "Uint8Array"
      : types.typeOf(endpoint.response.jsonSchema(refs), "response");
  const item = list ? `    item: ${result}["${list.key}"][number];\n` : "";
  return `${comment(`${summary}. ${description}`.trim())}  ${name}: {
    call: {
${argumentOf(endpoint, types, refs)}    };
    result: ${result};
${item}  };
`;
}

function argumentOf(endpoint: Endpoint, types: SchemaTypes, refs: Refs): string {
  const { method, path, query, headers, creates, versioned } = endpoint;
  const params = [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, param = ""]) => {
    const schema: JsonSchema = endpoint.params?.[param]?.jsonSchema(refs) ?? { type: "string" };
    return [param, { schema, optional: false }] as const;
  });
  const filters = Object.entries(query ?? {}).map(([filter, field]) => {
    return [filter, { schema: field.jsonSchema(refs), optional: field.presence !== "required" }] as const;
  });
  const object = (keys: readonly (readonly [string, { schema: JsonSchema; optional: boolean }])[]) =>
    `{\n${types.keysOf(Object.fromEntries(keys), "request")}}`;
  const changes = method !== "GET" && method !== "POST";
  return [
    params.length > 0 && `params: ${object(params)};`,
    filters.length > 0 && `query?: ${object(filters)};`,
    bodyOf(endpoint, types, refs),
    creates &&
      `${comment("Makes the call safe to retry, for you and for this client.")}idempotencyKey?: string;`,
    versioned &&
      changes &&
      `${comment("The `etag` that you read. The call fails as `stale` if there is a newer version.")}ifMatch?: string;`,
    acceptsDryRun(endpoint) &&
      `${comment("Returns the answer that the call would get, and writes nothing.")}dryRun?: boolean;`,
    headers &&
      "X-Environment-Id" in headers &&
      `${comment("Id or name of an environment. Replaces the client's default; null: no environment.")}environment?: string | null;`,
  ]
    .filter((line) => typeof line === "string")
    .map((line) => `${line}\n`)
    .join("");
}

function bodyOf({ body, bodyOptional }: Endpoint, types: SchemaTypes, refs: Refs): string | false {
  if (body === undefined) return false;
  const type = body === "bytes" ? "Uint8Array | string" : types.typeOf(body.jsonSchema(refs), "request");
  return `body${bodyOptional ? "?" : ""}: ${type};`;
}
