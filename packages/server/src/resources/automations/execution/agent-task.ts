import { isRetryableStatus, isSuccess, responseOutput } from "./output.ts";
import { PermanentError } from "./permanent-error.ts";
import type { TaskState } from "./task-state.ts";

/** Invokes the agent of an environment and waits for its response. */
export type Invoke = (
  agentReference: string,
  environmentId: string,
  body: unknown,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly body: string }>;

export async function invokeAgent(
  invoke: Invoke,
  reference: string,
  environmentId: string,
  body: unknown,
  signal: AbortSignal,
): Promise<TaskState["output"]> {
  const answer = await invoke(reference, environmentId, body, signal);
  if (isSuccess(answer.status)) return responseOutput(answer);
  const text = answer.body.slice(0, 500).trim() || "(empty body)";
  const sentence = `The agent "${reference}" answered ${answer.status}: ${text}`;
  throw isRetryableStatus(answer.status) ? new Error(sentence) : new PermanentError(sentence);
}
