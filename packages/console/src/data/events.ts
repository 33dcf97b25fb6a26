import type { Event, endpoints } from "@lakehelm/contract";
import type { ClientResult } from "@lakehelm/contract/client";
import { api } from "../app/client.ts";
import { useQuery } from "../app/queries.ts";

export type EventVerdict = ClientResult<typeof endpoints.verifyEvents>;

export interface EventFilter {
  readonly environment?: string | undefined;
  /** One kind, or all with a prefix: `connector.*`. */
  readonly kind?: string | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  readonly search?: string | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
}

const pageSize = 100;

const queryOf = (filter: EventFilter, limit: number) => ({
  ...(Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) as Record<string, string>),
  sort: "-created" as const,
  limit,
});

const pageOf = ({ events, next_cursor }: { events: readonly Event[]; next_cursor?: string | null }) => ({
  items: events,
  cursor: next_cursor ?? null,
});

/** The newest events, newest first. If `follows` is false, new events are not added. */
export function useEvents(filter: EventFilter, follows = true, limit = pageSize) {
  const kind = filter.kind ?? "*";
  return useQuery({
    key: ["events", filter, limit],
    read: async (signal) => pageOf(await api.readEvents({ query: queryOf(filter, limit), signal })),
    on: follows ? [{ kind, subject: filter.subject }] : [],
  });
}

/** The page of events after a cursor. Events never change, so they are read once. */
export const olderEvents = async (filter: EventFilter, cursor: string) =>
  pageOf(await api.readEvents({ query: { ...queryOf(filter, pageSize), cursor } }));

/** One event by its position in the log; null: there is none. */
export function useEvent(sequence: number) {
  return useQuery({
    key: ["event", sequence],
    read: async (signal) => {
      const { events } = await api.readEvents({ query: { after: sequence - 1, limit: 1 }, signal });
      return events.find((event) => event.sequence === sequence) ?? null;
    },
  });
}
