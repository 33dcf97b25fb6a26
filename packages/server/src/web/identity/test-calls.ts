import { decodeJson } from "@lakehelm/contract/schema";
import type { SaveAnswer } from "../../core/store/requests.ts";
import type { HandlerResult } from "../http/handler.ts";
import { readIfMatch } from "../http/preconditions.ts";
import { serviceCaller } from "./authenticate.ts";

const time = "2026-03-01T12:00:00.000Z";

interface Given<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
  readonly saveAnswer?: SaveAnswer;
}

/** A validated request of the service, as the HTTP layer passes it to a handler. */
export function callOf<Params, Query, Body>(given: Given<Params, Query, Body>) {
  const { params, query, body, headers = {}, saveAnswer = () => [] } = given;
  return {
    params,
    query,
    body,
    caller: serviceCaller,
    context: { actor: serviceCaller.name, requestId: "r1", time },
    client: "192.0.2.1",
    signal: new AbortController().signal,
    header: (name: string) => headers[name],
    expectedVersion: readIfMatch(headers["if-match"]),
    saveAnswer,
  };
}

/** The response body as a caller reads it. */
export function read<T>(answer: HandlerResult<T>): unknown {
  if ("body" in answer) return answer.body;
  if (!("text" in answer)) throw new Error("the answer is a stream");
  const decoded = decodeJson(answer.text);
  if (!("value" in decoded)) throw new Error("the answer is not JSON");
  return decoded.value;
}
