import type { Endpoint } from "@lakehelm/contract";
import { conformanceError, decodeJson, encodeJson } from "@lakehelm/contract/schema";
import { hasSharedDefinitions, visiblePart } from "./authorization.ts";
import { isServerAdmin } from "./call.ts";
import type { Caller, HandlerResult } from "./handler.ts";

export const jsonOf = (
  answer: Extract<HandlerResult<unknown>, { text: string } | { body: unknown }>,
): string => ("text" in answer ? answer.text : encodeJson(answer.body));

/** The part of an answer that the caller may see. */
export const visibleText = (endpoint: Endpoint, whole: string, caller: Caller): string =>
  hasSharedDefinitions(endpoint) && !isServerAdmin(caller) ? visiblePart(whole, caller) : whole;

/** Throws if the answer does not match the schema of its endpoint. */
export function assertConforms(endpoint: Endpoint, text: string): void {
  const read = decodeJson(text);
  const problem = "value" in read ? conformanceError(endpoint.response, read.value) : "it is not JSON";
  if (problem !== undefined) throw new Error(`The answer of ${endpoint.method} ${endpoint.path}: ${problem}`);
}
