import { setImmediate as turn } from "node:timers/promises";
import type { EndpointQuery, endpoints } from "@lakehelm/contract";
import { InvalidRequest } from "../../core/errors.ts";
import type { EventHistory } from "../../core/events/history.ts";
import type { SealedEvent } from "../../core/events/log.ts";
import { cursorsOf } from "../../core/store/list-request.ts";

type EventsQuery = EndpointQuery<typeof endpoints.readEvents>;
export type MayRead = (event: SealedEvent) => boolean | Promise<boolean>;

/** How many events one request examines. */
const mostExamined = 10_000;
const pageSize = 200;

/** Times increase along the log, except that servers have different clocks and requests take different times. */
const disorderMs = 3_600_000;

/** The text of a sealed event. */
interface EventText {
  readonly time: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const nameFields = ["name", "alias", "deployment_name", "username", "channel_name", "path"];

function nameIn({ data }: EventText): string | undefined {
  const found = nameFields.map((field) => data[field]).find((name) => typeof name === "string");
  return found as string | undefined;
}

/** Whether the request has a filter that is not a column of the log. */
export const isSearch = ({ after, limit, kind, subject, ...rest }: EventsQuery): boolean =>
  Object.values(rest).some((value) => value !== undefined);

/** Whether an event matches the filters on its text; undefined if there are none. */
export function createTextFilter(history: EventHistory, query: EventsQuery): MayRead | undefined {
  const { actor, name, created_after, created_before } = query;
  const search = query.search?.toLowerCase();
  const conditions = [actor, name, created_after, created_before, search];
  if (conditions.every((value) => value === undefined)) return undefined;
  const known = new Map<string, string | undefined>();

  /** The name from the first events of the subject, most of which have it. */
  async function nameOf(subject: string): Promise<string | undefined> {
    if (!known.has(subject)) {
      const first = await history.page(0, 3, false, { subject });
      const names = first.map(({ body }) => nameIn(JSON.parse(body) as EventText));
      known.set(
        subject,
        names.find((found) => found !== undefined),
      );
    }
    return known.get(subject);
  }

  return async ({ kind, subject, body }) => {
    const text = JSON.parse(body) as EventText;
    if (actor !== undefined && text.actor !== actor) return false;
    if (created_after !== undefined && text.time < created_after) return false;
    if (created_before !== undefined && text.time >= created_before) return false;
    if (name === undefined && search === undefined) return true;
    const found = nameIn(text) ?? (await nameOf(subject));
    if (name !== undefined && found !== name) return false;
    if (search === undefined) return true;
    return [kind, subject, text.actor, found ?? ""].some((part) => part.toLowerCase().includes(search));
  };
}

export interface FoundEvents {
  readonly events: SealedEvent[];
  /** The reader has all events up to here. */
  readonly from: number;
  readonly nextAfter: number;
  /** Null: there are no more. */
  readonly nextCursor: string | null;
}

/** A page of the events that match and that the caller may read, in the requested order. */
export async function searchEvents(
  history: EventHistory,
  query: EventsQuery,
  environment: string | null,
  conditions: readonly MayRead[],
  signal: AbortSignal,
): Promise<FoundEvents> {
  const { after, limit, cursor, sort, created_after, created_before, ...rest } = query;
  const newestFirst = sort === "-created";
  if (cursor && after > 0) {
    throw new InvalidRequest(["query", "after"], "`after` cannot be combined with `cursor`", after);
  }
  const { environment: _, ...filters } = rest;
  const cursors = cursorsOf("events", newestFirst, environment, created_after, created_before, filters);
  const resumed = cursors.read(cursor)?.position;
  const first =
    created_after === undefined ? 0 : await history.positionAt(Date.parse(created_after) - disorderMs);
  const last =
    created_before === undefined
      ? Number.MAX_SAFE_INTEGER
      : (await history.positionAt(Date.parse(created_before) + disorderMs)) + 1;
  const bottom = Math.max(after, first);

  const events: SealedEvent[] = [];
  let position = resumed ?? (newestFirst ? last : bottom);
  let newest = newestFirst ? after : position;
  const from = newestFirst ? after : (resumed ?? after);
  const found = (next: string | null): FoundEvents => ({ events, from, nextAfter: newest, nextCursor: next });
  const more = () => found(cursors.write({ value: "", position }));
  for (let examined = 0; examined < mostExamined; examined += pageSize) {
    signal.throwIfAborted();
    const page = await history.page(position, pageSize, newestFirst, query);
    for (const event of page) {
      const { sequence } = event;
      if (newestFirst ? sequence <= bottom : sequence >= last) return found(null);
      const matches = await meets(event, conditions);
      if (matches && events.length === limit) return more();
      if (matches) events.push(event);
      position = sequence;
      newest = Math.max(newest, sequence);
    }
    if (page.length < pageSize) return found(null);
    // SQLite reads on this thread, so other requests get a turn.
    await turn();
  }
  return more();
}

/** Whether an event meets all conditions. */
export async function meets(event: SealedEvent, conditions: readonly MayRead[]): Promise<boolean> {
  for (const condition of conditions) if (!(await condition(event))) return false;
  return true;
}
