import type { endpoints } from "@lakehelm/contract";
import { unreadable } from "../../core/errors.ts";
import type { EventLog, Filter, SealedEvent } from "../../core/events/log.ts";
import type { Text } from "../../core/store/collection.ts";
import type { StreamMessage } from "../../core/stream-message.ts";
import type { Handlers } from "../../web/http/handler.ts";

/** The response for an event: the sealed text between its sequence and its hash. */
const textOf = ({ sequence, body, hash }: SealedEvent) =>
  `{"sequence":${sequence},${body.slice(1, -1)},"hash":"${hash}"}`;

export function eventHandlers(
  log: EventLog,
): Handlers<Pick<typeof endpoints, "readEvents" | "verifyEvents">> {
  return {
    async readEvents(call) {
      const { after, limit, kind, subject } = call.query;
      const filter = { kind, subject };
      if (call.header("accept")?.includes("text/event-stream")) {
        const from = lastEventId(call.header("last-event-id")) ?? after;
        return { messages: follow(log, from, filter, call.signal) };
      }
      const events = await log.read(after, limit, filter);
      const next = events.at(-1)?.sequence ?? after;
      const text: Text<{ events: never[]; next_after: number }> =
        `{"events":[${events.map(textOf).join(",")}],"next_after":${next}}`;
      return { text };
    },
    async verifyEvents() {
      const verdict = await log.verify();
      return { body: { ...verdict, problem: verdict.intact ? null : verdict.problem } };
    },
  };
}

function lastEventId(sent: string | undefined): number | undefined {
  if (sent === undefined || sent === "") return undefined;
  if (!/^\d{1,15}$/.test(sent)) throw unreadable("Last-Event-ID must be the sequence of an event.");
  return Number(sent);
}

/** Existing events, then new ones. The position only advances with what was sent: nothing is lost or duplicated. */
async function* follow(
  log: EventLog,
  from: number,
  filter: Filter,
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
  let position = from;
  while (!signal.aborted) {
    const end = await log.head();
    for (;;) {
      const events = await log.read(position, 200, filter);
      for (const event of events) {
        yield { id: String(event.sequence), event: event.kind, data: textOf(event) };
        position = event.sequence;
      }
      if (events.length < 200 || signal.aborted) break;
    }
    // Events that the filter excluded need not be read again.
    position = Math.max(position, end);
    await log.next(position, signal);
  }
}
