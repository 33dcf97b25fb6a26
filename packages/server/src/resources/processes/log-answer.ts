import { unreadable } from "../../core/errors.ts";
import type { ProcessLog } from "../../runtime/processes/log-file.ts";
import { followLog } from "../../runtime/processes/log-stream.ts";
import type { Call } from "../../web/http/handler.ts";

/** The response for the log of a process: a page, or a stream if requested. */
export async function logAnswer(
  log: Pick<ProcessLog, "read">,
  { after, limit }: { readonly after?: number | undefined; readonly limit: number },
  { header, signal }: Pick<Call, "header" | "signal">,
) {
  if (header("accept")?.includes("text/event-stream")) {
    return { messages: followLog(log, lastEventId(header("last-event-id")) ?? after, limit, signal) };
  }
  const { lines, nextAfter } = await log.read(after, limit);
  return { body: { lines, next_after: nextAfter } };
}

function lastEventId(sent: string | undefined): number | undefined {
  if (sent === undefined || sent === "") return undefined;
  if (!/^\d{1,15}$/.test(sent)) throw unreadable("Last-Event-ID must be the position of a line.");
  return Number(sent);
}
