import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { dateTime, exampleTime } from "./shared.ts";

export const Event = s.model("Event", {
  sequence: s.integer().describe("Position in the log, without gaps."),
  id: s.string(),
  time: dateTime(),
  actor: s.string(),
  request_id: s.string().nullable(),
  kind: s.string().describe("For example `connector.created`."),
  subject: s.string().describe("For example `connector/019f…`."),
  data: s.map().describe("Secrets are masked."),
  hash: s.string().describe("Covers this event and, through the previous event's hash, all earlier events."),
});
export type Event = s.Infer<typeof Event>;

const EventPage = s.model("EventPage", {
  events: s.list(Event),
  next_after: s.integer().describe("`after` of the next page."),
});

export const readEvents = endpoint({
  method: "GET",
  path: "/api/v1/events",
  tag: "Events",
  summary: "Read or follow the event log",
  description:
    "With `Accept: text/event-stream` the response is an endless stream: the events after `after` (or `Last-Event-ID`), then new events as they occur, with a heartbeat every 15 seconds.",
  access: "viewer",
  query: {
    after: s
      .integer({ ge: 0, le: Number.MAX_SAFE_INTEGER })
      .default(0)
      .describe("Only events after this sequence number."),
    limit: s.integer({ ge: 1, le: 1000 }).default(100).describe("Maximum number of events to return."),
    kind: s.string().optional().describe("One kind, or all kinds with a prefix: `connector.*`."),
    subject: s.string().optional().describe("Only events of this subject."),
  },
  headers: { "Last-Event-ID": "The id of the last event that you received: the stream resumes after it." },
  response: EventPage,
  streams: "text/event-stream",
  example: {
    response: {
      events: [
        {
          sequence: 1,
          id: "019f0000-0000-7000-8000-00000000000e",
          time: exampleTime,
          actor: "internal-service",
          request_id: "r-1",
          kind: "environment.created",
          subject: "environment/019f0000-0000-7000-8000-000000000001",
          data: { name: "local" },
          hash: "q0l3Cz",
        },
      ],
      next_after: 1,
    },
  },
});

export const verifyEvents = endpoint({
  method: "GET",
  path: "/api/v1/events/verify",
  tag: "Events",
  summary: "Verify that no event in the log was changed or removed",
  access: "admin",
  response: s.model("EventVerdict", {
    intact: s.boolean(),
    checked: s.integer().describe("Number of events that were verified."),
    problem: s.string().nullable(),
  }),
  example: { response: { intact: true, checked: 128, problem: null } },
});
