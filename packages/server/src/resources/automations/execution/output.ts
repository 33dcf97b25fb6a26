import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import type { TaskOutput } from "./task-state.ts";

/** Each step of a run writes the outputs of all its tasks, so each output is limited. */
const maxLength = 128 * 1024;

/** Limits the size of an output: replaces its longest parts with a note that they were left out. */
export function bounded(output: TaskOutput): TaskOutput {
  const sizes = new Map(Object.entries(output).map(([key, value]) => [key, encodeJson(value).length]));
  let size = [...sizes.values()].reduce((sum, one) => sum + one, 0);
  const left: string[] = [];
  for (const [key, length] of [...sizes].sort(([, a], [, b]) => b - a)) {
    if (size <= maxLength) break;
    left.push(key);
    size -= length;
  }
  if (left.length === 0) return output;
  const kept = Object.entries(output).filter(([key]) => !left.includes(key));
  return { ...Object.fromEntries(kept), left_out: left };
}

const maxBodyLength = 64 * 1024;

/** The response of another server as a task output: JSON as a value, anything else as text. */
export function responseOutput({
  status,
  body,
}: {
  readonly status: number;
  readonly body: string;
}): TaskOutput {
  if (body.length > maxBodyLength)
    return { status, body: body.slice(0, maxBodyLength).toWellFormed(), cut: true };
  return { status, body: read(body) };
}

function read(body: string): unknown {
  try {
    JSON.parse(body);
  } catch {
    return body;
  }
  // Keeps all digits of numbers: ids of other systems often have nineteen.
  const decoded = decodeJson(body);
  return "value" in decoded ? decoded.value : body;
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
/** Status codes worth a retry: overload, timeouts and server errors. */
export const isRetryableStatus = (status: number): boolean =>
  status >= 500 || status === 408 || status === 429;
