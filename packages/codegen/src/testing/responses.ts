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

/** The answer to a request as a caller would send it: JSON to the path of an endpoint. */
export async function responseTo(
  path: string,
  request: object,
  known?: TableMetadata,
): Promise<CodegenResponse> {
  const { generator, body } = read(path, request);
  return generateResponse(generator, body, production, async () => known);
}

/** What is generated for it, before it is proven. */
export async function artifactsFor(path: string, request: object): Promise<readonly Artifact[]> {
  const { generator, body } = read(path, request);
  const made = await generate(generator, body, production, async () => undefined);
  assert.ok(made.artifacts, (made.errors ?? []).join("\n"));
  return made.artifacts;
}

function read(
  path: string,
  request: object,
): { generator: GeneratorName; body: GenerationRequests[GeneratorName] } {
  const generator = byPath[path];
  assert.ok(generator, `nothing generates at ${path}`);
  const sent = Buffer.from(JSON.stringify(request), "utf8");
  const reader = requestParser(endpoints[generator]);
  const reading = reader({ params: {}, url: "", body: sent, contentType: "application/json" });
  assert.ok("body" in reading, `the request is well formed: ${JSON.stringify(reading)}`);
  return { generator, body: reading.body as GenerationRequests[GeneratorName] };
}
