import { decodeJson, encodeJson } from "@lakehelm/contract/schema";
import type { TaskState } from "./task-state.ts";

type Output = NonNullable<TaskState["output"]>;

/** The outputs of all tasks are written with each step of their run. */
const longest = 128 * 1024;

/** An output that is not too long to be kept; otherwise its longest parts are left out, and it says which. */
export function bounded(output: Output): Output {
  const sizes = new Map(Object.entries(output).map(([key, value]) => [key, encodeJson(value).length]));
  let size = [...sizes.values()].reduce((sum, one) => sum + one, 0);
  const left: string[] = [];
  for (const [key, length] of [...sizes].sort(([, a], [, b]) => b - a)) {
    if (size <= longest) break;
    left.push(key);
    size -= length;
  }
  if (left.length === 0) return output;
  const kept = Object.entries(output).filter(([key]) => !left.includes(key));
  return { ...Object.fromEntries(kept), left_out: left };
}

const longestBody = 64 * 1024;

/** What somebody else's server has answered: JSON as its value, anything else as text. */
export function answered({ status, body }: { readonly status: number; readonly body: string }): Output {
  if (body.length > longestBody)
    return { status, body: body.slice(0, longestBody).toWellFormed(), cut: true };
  return { status, body: read(body) };
}

function read(body: string): unknown {
  try {
    JSON.parse(body);
  } catch {
    return body;
  }
  // Numbers of any size, digit for digit: ids of other systems often have nineteen.
  const decoded = decodeJson(body);
  return "value" in decoded ? decoded.value : body;
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
/** What another try may change: too busy, too slow, broken for now. */
export const mayPass = (status: number): boolean => status >= 500 || status === 408 || status === 429;
