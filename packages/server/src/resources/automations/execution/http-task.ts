import { encodeJson } from "@lakehelm/contract/schema";
import type { Outbound } from "../../../runtime/outbound/outbound.ts";
import type { OutboundRequest } from "../../../runtime/outbound/outbound-request.ts";
import { isRetryableStatus, isSuccess, responseOutput } from "./output.ts";
import { PermanentError } from "./permanent-error.ts";
import type { TaskState } from "./task-state.ts";

/** The request of an http task, with placeholders filled. */
export interface HttpRequest {
  readonly url: unknown;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The same for every attempt, so that the receiver can detect a retry. */
  readonly idempotencyKey: string;
  readonly timeoutMs: number;
}

export async function sendHttp(
  outbound: Pick<Outbound, "send">,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<TaskState["output"]> {
  const answer = await outbound.send({ ...requestOf(request), signal }).catch((error) => {
    throw isPermanent(error) ? new PermanentError(error.message) : error;
  });
  if (isSuccess(answer.status)) return responseOutput(answer);
  const sentence = `The server answered ${answer.status}: ${answer.body.slice(0, 500).trim() || "(empty body)"}`;
  throw isRetryableStatus(answer.status) ? new Error(sentence) : new PermanentError(sentence);
}

const isPermanent = (error: unknown): error is Error =>
  error instanceof Error && "retryable" in error && error.retryable === false;

function requestOf({ url, parameters, idempotencyKey, timeoutMs }: HttpRequest): OutboundRequest {
  const { method = "POST", headers = {}, body } = parameters;
  const sent = new Map(Object.entries(headers as Record<string, unknown>).map(([k, v]) => [k, String(v)]));
  const hasHeader = (name: string) => [...sent.keys()].some((key) => key.toLowerCase() === name);
  const text = body === undefined || body === null || typeof body === "string" ? body : encodeJson(body);
  if (typeof text === "string" && typeof body !== "string" && !hasHeader("content-type")) {
    sent.set("content-type", "application/json");
  }
  if (!hasHeader("idempotency-key")) sent.set("Idempotency-Key", idempotencyKey);
  return {
    url: String(url),
    method: String(method).toUpperCase(),
    headers: Object.fromEntries(sent),
    ...(typeof text === "string" && { body: text }),
    timeoutMs,
  };
}
