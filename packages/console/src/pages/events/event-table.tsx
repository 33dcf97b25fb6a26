import type { Event } from "@lakehelm/contract";
import type { VNode } from "preact";
import { environmentNameOf } from "../../app/permissions.ts";
import { hrefOf } from "../../app/router.ts";
import { pathOfSubject } from "../../data/targets.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { subjectKind, subjectName, summaryOf } from "./texts.ts";

const columns: readonly Column<Event>[] = [
  { title: "Time", width: "110px", cell: ({ time }) => <Time at={time} /> },
  {
    title: "Event",
    width: "minmax(170px, 1fr)",
    cell: ({ sequence, kind }) => (
      <a class="plain" href={hrefOf(`/events/${sequence}`)}>
        {kind}
      </a>
    ),
  },
  {
    title: "Subject",
    width: "minmax(180px, 1.4fr)",
    cell: (event) => {
      const path = pathOfSubject(event.subject, event.data.alias ?? event.data.name);
      const name = subjectName(event);
      return (
        <>
          <span class="faint">{subjectKind(event)}</span>{" "}
          {path ? (
            <a class="plain" href={hrefOf(path)} title={name}>
              {name}
            </a>
          ) : (
            name
          )}
        </>
      );
    },
  },
  { title: "By", width: "minmax(110px, 0.8fr)", cell: ({ actor }) => <span title={actor}>{actor}</span> },
  {
    title: "What",
    width: "minmax(160px, 2fr)",
    cell: (event) => {
      const text = summaryOf(event);
      return (
        <span class="soft" title={text}>
          {text}
        </span>
      );
    },
  },
  {
    title: "Environment",
    width: "110px",
    cell: ({ data }) =>
      typeof data.environment_id === "string" ? environmentNameOf(data.environment_id) : "",
  },
  {
    title: "No.",
    width: "72px",
    isRight: true,
    cell: ({ sequence }) => <span class="faint">{sequence}</span>,
  },
];

interface EventTableProps {
  readonly events: readonly Event[];
  readonly onEnd?: (() => void) | undefined;
}

export function EventTable({ events, onEnd }: EventTableProps): VNode {
  return (
    <Table
      label="Events"
      columns={columns}
      rows={events}
      keyOf={({ sequence }) => String(sequence)}
      onEnd={onEnd}
    />
  );
}
