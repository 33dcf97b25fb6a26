import type { Endpoint } from "../endpoint.ts";
import type { Refs } from "../schema/index.ts";
import { parametersOf } from "./parameters.ts";
import { describe } from "./prose.ts";
import { responsesOf } from "./responses.ts";
import type { OperationObject, RequestBody } from "./types.ts";

export function operationOf(name: string, endpoint: Endpoint, refs: Refs): OperationObject {
  const requestBody = requestBodyOf(endpoint, refs);
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: describe(endpoint),
    ...(endpoint.deprecated && { deprecated: true as const }),
    ...(endpoint.number === undefined
      ? { "x-extension": true as const }
      : { "x-contract-number": endpoint.number }),
    ...(endpoint.changes && { "x-changes": endpoint.changes }),
    ...(endpoint.access === "public" && { security: [] }),
    parameters: parametersOf(endpoint, refs),
    ...(requestBody && { requestBody }),
    responses: responsesOf(endpoint, refs),
  };
}

function requestBodyOf({ body, bodyOptional, yaml, example }: Endpoint, refs: Refs): RequestBody | undefined {
  if (body === undefined) return undefined;
  if (body === "bytes") {
    const schema = { type: "string", format: "binary" };
    return { required: false, content: { "application/octet-stream": { schema } } };
  }
  const media = {
    schema: body.jsonSchema(refs),
    ...(example?.body !== undefined && { example: example.body }),
  };
  const content = { "application/json": media, ...(yaml && { "application/yaml": media }) };
  return { required: !bodyOptional, content };
}
