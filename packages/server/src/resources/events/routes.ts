import type { endpoints } from "@lakehelm/contract";
import { gone, InvalidRequest } from "../../core/errors.ts";
import { eventText } from "../../core/events/event-text.ts";
import type { EventHistory } from "../../core/events/history.ts";
import type { EventLog, Filter, SealedEvent } from "../../core/events/log.ts";
import type { Text } from "../../core/store/collection.ts";
import type { StreamMessage } from "../../core/stream-message.ts";
import { visibleEnvironments } from "../../web/http/call.ts";
import type { Handlers } from "../../web/http/handler.ts";
import { lastEventId } from "../../web/http/last-event-id.ts";
import type { Environments } from "../environments/environments.ts";
import { createEventFilter, type EnvironmentOfSubject } from "./event-environment.ts";
import { createTextFilter, isSearch, type MayRead, meets, searchEvents } from "./event-search.ts";

/** The answer has a cursor only if the request has filters that are not columns of the log. */
function pageText(
  events: readonly SealedEvent[],
  nextAfter: number,
  removedThrough: number,
  nextCursor?: string | null,
): Text<{ events: never[]; next_after: number; removed_through: number }> {
  const cursor = nextCursor === undefined ? "" : `,"next_cursor":${JSON.stringify(nextCursor)}`;
  return `{"events":[${events.map(eventText).join(",")}],"next_after":${nextAfter}${cursor},"removed_through":${removedThrough}}`;
}

export function eventHandlers(
  log: EventLog,
  history: EventHistory,
  environments: Environments,
  environmentOf: EnvironmentOfSubject,
): Handlers<Pick<typeof endpoints, "readEvents" | "verifyEvents" | "acknowledgeEvents">> {
  return {
    async readEvents(call) {
      const { query, signal } = call;
      const { after, limit, kind, subject, sort, cursor } = query;
      const filter = { kind, subject };
      const environment =
        query.environment === undefined ? undefined : (await environments.filter(call)).environmentId;
      const visible = environment === undefined ? visibleEnvironments(call.caller) : [environment];
      const mayRead = visible && createEventFilter(visible, environmentOf);
      // The text filter comes first: events that it excludes need no lookup of their environment.
      const conditions = [createTextFilter(history, query), mayRead].filter((one) => one !== undefined);
      if (call.header("accept")?.includes("text/event-stream")) {
        if (sort === "-created" || cursor !== undefined) {
          const name = cursor === undefined ? "sort" : "cursor";
          throw new InvalidRequest(
            ["query", name],
            "A stream is oldest first, and has no cursor",
            query[name],
          );
        }
        const from = lastEventId(call.header("last-event-id"), "the sequence of an event") ?? after;
        await requireKept(log, from);
        return { messages: follow(log, from, filter, conditions, signal) };
      }
      // `requireKept` is called after the events were read, so that no event before them is removed unnoticed.
      if (isSearch(query)) {
        const { events, from, nextAfter, nextCursor } = await searchEvents(
          history,
          query,
          environment ?? null,
          conditions,
          signal,
        );
        return { text: pageText(events, nextAfter, await requireKept(log, from), nextCursor) };
      }
      const end = await log.head();
      const { events, next, isEnd } = await readVisible(log, after, limit, filter, mayRead);
      const removed = await requireKept(log, after);
      // Events that the filter excluded need not be read again.
      return { text: pageText(events, isEnd ? Math.max(next, end) : next, removed) };
    },
    async verifyEvents() {
      return { body: await verdictOf(log) };
    },
    async acknowledgeEvents(call) {
      await log.acknowledge(call.context, call.body.reason);
      return { body: await verdictOf(log) };
    },
  };
}

async function verdictOf(log: EventLog) {
  const verdict = await log.verify();
  const { intact, checked } = verdict;
  return {
    intact,
    checked,
    removed: await log.removedThrough(),
    problem: verdict.intact ? null : verdict.problem,
    reason: verdict.intact ? null : verdict.reason,
  };
}

/** Position 0 means from the beginning, wherever that is. Returns the last removed event. */
async function requireKept(log: EventLog, after: number): Promise<number> {
  const removed = await log.removedThrough();
  if (after === 0 || after >= removed) return removed;
  throw gone(
    `Retention has removed the events up to ${removed}. Read events ${after + 1} to ${removed} in the archive, then continue with after=${removed}.`,
  );
}

/** How many events one request examines for a caller who sees only some. */
const mostExamined = 2000;

/** A page of the events that the caller may read, and the position up to which the log was examined. */
async function readVisible(
  log: EventLog,
  after: number,
  limit: number,
  filter: Filter,
  mayRead: MayRead | undefined,
): Promise<{ readonly events: SealedEvent[]; readonly next: number; readonly isEnd: boolean }> {
  if (!mayRead) {
    const events = await log.read(after, limit, filter);
    return { events, next: events.at(-1)?.sequence ?? after, isEnd: events.length < limit };
  }
  const events: SealedEvent[] = [];
  let next = after;
  for (let examined = 0; examined < mostExamined; ) {
    const page = await log.read(next, 200, filter);
    for (const event of page) {
      if (events.length === limit) return { events, next, isEnd: false };
      next = event.sequence;
      if (await mayRead(event)) events.push(event);
    }
    if (page.length < 200) return { events, next, isEnd: true };
    examined += page.length;
  }
  return { events, next, isEnd: false };
}

/** Existing events, then new ones. The position only advances with what was sent: nothing is lost or duplicated. */
async function* follow(
  log: EventLog,
  from: number,
  filter: Filter,
  conditions: readonly MayRead[],
  signal: AbortSignal,
): AsyncGenerator<StreamMessage> {
  let position = from;
  while (!signal.aborted) {
    const end = await log.head();
    for (;;) {
      const events = await log.read(position, 200, filter);
      // A reader who is that far behind gets the reason when it connects again.
      if (position > 0 && position < (await log.removedThrough())) return;
      for (const event of events) {
        position = event.sequence;
        if (!(await meets(event, conditions))) continue;
        yield { id: String(event.sequence), event: event.kind, data: eventText(event) };
      }
      if (events.length < 200 || signal.aborted) break;
    }
    // Events that the filter excluded need not be read again.
    position = Math.max(position, end);
    await log.next(position, signal);
  }
}
