import { setTimeout as pause } from "node:timers/promises";
import { encodeJson } from "@lakehelm/contract/schema";
import type { StreamMessage } from "../../core/stream-message.ts";
import type { ProcessLog } from "./log-file.ts";

/** The process writes directly to the file, so new lines are found by polling. */
const pollMs = 300;
const pageSize = 1000;

/** The lines after a position, or else the last lines; then new lines until the reader disconnects. */
export async function* followLog(
  log: Pick<ProcessLog, "read">,
  after: number | undefined,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
  let position = after;
  while (!signal.aborted) {
    const { lines, nextAfter } = await log.read(position, position === undefined ? limit : pageSize);
    for (const line of lines) yield { id: String(line.n), event: "line", data: encodeJson(line) };
    position = nextAfter;
    if (lines.length === 0) await pause(pollMs, undefined, { signal }).catch(() => {});
  }
}
