import type { Event } from "@lakehelm/contract";
import type { VNode } from "preact";
import type { PageProps } from "../../app/page-props.ts";
import { environmentNameOf } from "../../app/permissions.ts";
import { hrefOf } from "../../app/router.ts";
import { useEvent, useEvents } from "../../data/events.ts";
import { pathOfSubject } from "../../data/targets.ts";
import { Card } from "../../ui/card.tsx";
import { Changes, textOf } from "../../ui/changes.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading, PageLayout } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { changesOf, subjectName, summaryOf } from "./texts.ts";

const above = [{ title: "Events", path: "/events" }];

export default function EventPage({ params }: PageProps): VNode {
  const sequence = Number(params.id);
  const isNumber = Number.isSafeInteger(sequence) && sequence > 0;
  const { data: event, error, refresh } = useEvent(isNumber ? sequence : 1);
  if (isNumber && event) return <Loaded event={event} />;
  return (
    <PageLayout title="Event" above={above}>
      {!isNumber || event === null ? (
        <EmptyState
          title="There is no such event"
          action={<a href={hrefOf("/events")}>Go to the latest events</a>}
        >
          Its number is wrong, or retention has moved it to the archive.
        </EmptyState>
      ) : error ? (
        <ErrorBox error={error} retry={refresh} />
      ) : (
        <Loading what="the event" />
      )}
    </PageLayout>
  );
}

function Loaded({ event }: { event: Event }): VNode {
  const changes = changesOf(event);
  const path = pathOfSubject(event.subject, event.data.alias ?? event.data.name);
  const { changes: _, ...data } = event.data;
  const rest = Object.entries(data);
  const { environment_id } = event.data;
  return (
    <PageLayout
      title={event.kind}
      above={above}
      actions={
        <>
          {event.sequence > 1 && (
            <a class="button" href={hrefOf(`/events/${event.sequence - 1}`)}>
              Event before
            </a>
          )}
          <a class="button" href={hrefOf(`/events/${event.sequence + 1}`)}>
            Event after
          </a>
        </>
      }
    >
      <div class="columns">
        <div class="stack loose">
          <Card title="What changed" isFlush>
            {changes.length > 0 ? (
              <Changes label="Changed fields" changes={changes} />
            ) : (
              <p class="body soft">{summaryOf(event) || "The event names no changed fields."}</p>
            )}
          </Card>
          {rest.length > 0 && (
            <Card title="Data of the event">
              <dl class="facts">
                {rest.map(([name, value]) => (
                  <>
                    <dt>{name}</dt>
                    <dd>
                      <code class="value">
                        {value === null || value === undefined ? "none" : textOf(value)}
                      </code>
                    </dd>
                  </>
                ))}
              </dl>
            </Card>
          )}
        </div>
        <div class="stack loose">
          <Card title="Facts">
            <dl class="facts">
              <dt>By</dt>
              <dd>
                <a href={hrefOf(`/events?actor=${encodeURIComponent(event.actor)}`)}>{event.actor}</a>
              </dd>
              <dt>Time</dt>
              <dd>
                <Time at={event.time} absolute />
              </dd>
              <dt>Subject</dt>
              <dd>
                {path ? <a href={hrefOf(path)}>{subjectName(event)}</a> : subjectName(event)}
                <div class="faint mono">{event.subject}</div>
              </dd>
              {typeof environment_id === "string" && (
                <>
                  <dt>Environment</dt>
                  <dd>{environmentNameOf(environment_id)}</dd>
                </>
              )}
              <dt>Request</dt>
              <dd class="mono">{event.request_id ?? "none: the server did it by itself"}</dd>
              <dt>Number</dt>
              <dd class="number">{event.sequence}</dd>
              <dt>Hash</dt>
              <dd
                class="mono"
                title="Covers this event and, through the hash of the one before, all earlier ones."
              >
                {event.hash}
              </dd>
            </dl>
          </Card>
          <History event={event} />
        </div>
      </div>
    </PageLayout>
  );
}

/** The latest events of the same subject. */
function History({ event }: { event: Event }): VNode {
  const { data, error } = useEvents({ subject: event.subject }, true, 20);
  return (
    <Card
      title={`Events of ${subjectName(event)}`}
      actions={<a href={hrefOf(`/events?subject=${encodeURIComponent(event.subject)}`)}>All</a>}
      isFlush
    >
      {error && <ErrorBox error={error} />}
      {!data && !error && <Loading what="its events" />}
      <ul class="items">
        {data?.items.map(({ sequence, kind, actor, time }) => (
          <li key={sequence} class="row">
            <a
              class="grow clip"
              href={hrefOf(`/events/${sequence}`)}
              aria-current={sequence === event.sequence ? "true" : undefined}
            >
              {kind}
            </a>
            <span class="faint clip">{actor}</span>
            <span class="soft">
              <Time at={time} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
