import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { environmentName, place, setQuery } from "../../app/router.ts";
import { type EventFilter, olderEvents, useEvents } from "../../data/events.ts";
import { useOlder } from "../../data/older.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { FilterText } from "../../ui/filter-text.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { EventTable } from "./event-table.tsx";
import { PeriodFilter, usePeriod } from "./period.tsx";
import { kindGroups } from "./texts.ts";
import { useVerification } from "./verification.tsx";

const filters = ["search", "kind", "actor", "subject", "since", "from", "to", "between"];

export default function EventsPage(): VNode {
  const { query } = place.value;
  const text = (name: string) => query.get(name) ?? undefined;
  const filter: EventFilter = {
    environment: environmentName.value,
    kind: text("kind"),
    actor: text("actor"),
    subject: text("subject"),
    search: text("search"),
    ...usePeriod(),
  };
  const follows = query.get("follow") !== "no";
  const { data, error, isLoading, refresh } = useEvents(filter, follows);
  const {
    items: events,
    loadMore,
    hasMore,
  } = useOlder({
    key: JSON.stringify(filter),
    first: data,
    read: (cursor) => olderEvents(filter, cursor),
    idOf: ({ sequence }) => sequence,
  });
  // One response searches only a part of the log. If it has no match, the search continues with the next part.
  const isSearching = data !== undefined && events.length === 0 && hasMore;
  useEffect(() => {
    if (isSearching) loadMore();
  }, [isSearching, loadMore]);
  const verification = useVerification();
  const isFiltered = filters.some((name) => query.has(name));
  return (
    <PageLayout
      title="Events"
      isFull
      actions={
        <>
          <Button
            onClick={() => {
              setQuery({ follow: follows ? "no" : undefined });
              if (!follows) refresh();
            }}
            label={follows ? "Stop following" : "Follow"}
          >
            <Icon name={follows ? "pause" : "play"} />
            {follows ? "Following" : "Follow"}
          </Button>
          {verification.button}
        </>
      }
    >
      <div class="toolbar">
        <SearchField label="Search events" />
        <FilterText name="kind" label="Kind" suggestions={kindGroups} />
        <FilterText name="actor" label="By" />
        <FilterText name="subject" label="Subject" />
        <PeriodFilter />
        {isFiltered && (
          <Button
            kind="quiet"
            onClick={() => setQuery(Object.fromEntries(filters.map((name) => [name, undefined])))}
          >
            Clear filters
          </Button>
        )}
      </div>
      {verification.result}
      {error && <ErrorBox error={error} retry={refresh} />}
      {(isLoading || isSearching) && <Loading what="events" />}
      {data &&
        !isSearching &&
        (events.length === 0 ? (
          <EmptyState title={isFiltered ? "No event fits these filters" : "Nothing has happened here yet"}>
            Every change is an event: who made it, when, and what changed. Kinds are like{" "}
            <code>connector.updated</code>, or <code>connector.*</code> for all of them; subjects like{" "}
            <code>connector/019f…</code>.
          </EmptyState>
        ) : (
          <EventTable events={events} onEnd={loadMore} />
        ))}
    </PageLayout>
  );
}
