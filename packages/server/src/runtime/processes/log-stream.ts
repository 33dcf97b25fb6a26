import { setTimeout as pause } from "node:timers/promises";
import { encodeJson } from "@lakehelm/contract/schema";
import type { StreamMessage } from "../../core/stream-message.ts";
import type { ProcessLog } from "./log-file.ts";

/** The process writes directly to the file, so new lines are found by polling. */
const lookAgainMs = 300;
const pageSize = 1000;

/** The lines after a position, or the last ones, then new ones until the reader disconnects. */
export async function* followLog(
  log: Pick<ProcessLog, "read">,
  after: number | undefined,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
  let place = after;
  while (!signal.aborted) {
    const { lines, nextAfter } = await log.read(place, place === undefined ? limit : pageSize);
    for (const line of lines) yield { id: String(line.n), event: "line", data: encodeJson(line) };
    place = nextAfter;
    if (lines.length === 0) await pause(lookAgainMs, undefined, { signal }).catch(() => {});
  }
}
