import type { ProcessLog } from "../../runtime/processes/log-file.ts";
import { followLog } from "../../runtime/processes/log-stream.ts";
import type { Call } from "../../web/http/handler.ts";
import { lastEventId } from "../../web/http/last-event-id.ts";

/** The response for the log of a process: a page, or a stream if requested. */
export async function logAnswer(
  log: Pick<ProcessLog, "read">,
  { after, limit }: { readonly after?: number | undefined; readonly limit: number },
  { header, signal }: Pick<Call, "header" | "signal">,
) {
  if (header("accept")?.includes("text/event-stream")) {
    const from = lastEventId(header("last-event-id"), "the position of a line") ?? after;
    return { messages: followLog(log, from, limit, signal) };
  }
  const { lines, nextAfter } = await log.read(after, limit);
  return { body: { lines, next_after: nextAfter } };
}
