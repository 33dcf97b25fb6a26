import assert from "node:assert/strict";
import { type CodegenResponse, endpoints, requestParser } from "@lakehelm/contract";
import type { Artifact } from "../artifact.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";
import { type GenerationRequests, type GeneratorName, generate, generateResponse } from "../response.ts";
import { production } from "./contexts.ts";

const byPath: Readonly<Record<string, GeneratorName>> = {
  "/api/v1/codegen/alter-metadata": "generateAlterMetadata",
  "/api/v1/codegen/consumption": "generateConsumption",
  "/api/v1/codegen/connector": "generateConnector",
};

/** The response to a request in the form that a caller sends: JSON to the path of an endpoint. */
export async function responseTo(
  path: string,
  request: object,
  known?: TableMetadata,
): Promise<CodegenResponse> {
  const { generator, body } = parseRequest(path, request);
  return generateResponse(generator, body, production, async () => known);
}

/** The artifacts of a request, before they are checked. */
export async function artifactsFor(path: string, request: object): Promise<readonly Artifact[]> {
  const { generator, body } = parseRequest(path, request);
  const result = await generate(generator, body, production, async () => undefined);
  assert.ok(result.artifacts, (result.errors ?? []).join("\n"));
  return result.artifacts;
}

function parseRequest(
  path: string,
  request: object,
): { generator: GeneratorName; body: GenerationRequests[GeneratorName] } {
  const generator = byPath[path];
  assert.ok(generator, `no generator for ${path}`);
  const bytes = Buffer.from(JSON.stringify(request), "utf8");
  const parse = requestParser(endpoints[generator]);
  const parsed = parse({ params: {}, url: "", body: bytes, contentType: "application/json" });
  assert.ok("body" in parsed, `the request is well formed: ${JSON.stringify(parsed)}`);
  return { generator, body: parsed.body as GenerationRequests[GeneratorName] };
}
