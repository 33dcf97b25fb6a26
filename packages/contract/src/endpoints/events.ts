import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { dateTime, exampleTime } from "./shared.ts";

export const Event = s.model("Event", {
  sequence: s.integer().describe("Its place in the log, without gaps."),
  id: s.string(),
  time: dateTime(),
  actor: s.string(),
  request_id: s.string().nullable(),
  kind: s.string().describe("For example `connector.created`."),
  subject: s.string().describe("For example `connector/019f…`."),
  data: s.map().describe("Secrets are masked."),
  hash: s.string().describe("Covers this event and, through the one before it, all earlier ones."),
});
export type Event = s.Infer<typeof Event>;

const EventPage = s.model("EventPage", {
  events: s.list(Event),
  next_after: s.integer().describe("The `after` of the next page."),
});

export const readEvents = endpoint({
  method: "GET",
  path: "/api/v1/events",
  tag: "Events",
  summary: "Read the event log, or follow it",
  description:
    "With `Accept: text/event-stream` the answer never ends: it sends what is there after `after` (or after `Last-Event-ID`), then what comes, with a heartbeat every 15 seconds.",
  access: "viewer",
  query: {
    after: s
      .integer({ ge: 0, le: Number.MAX_SAFE_INTEGER })
      .default(0)
      .describe("Only events behind this sequence."),
    limit: s.integer({ ge: 1, le: 1000 }).default(100),
    kind: s.string().optional().describe("One kind, or all that begin alike: `connector.*`."),
    subject: s.string().optional(),
  },
  headers: { "Last-Event-ID": "Where a follower goes on: the id of the last event it has seen." },
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
  summary: "Check the whole event log for changed or removed events",
  access: "admin",
  response: s.model("EventVerdict", {
    intact: s.boolean(),
    checked: s.integer().describe("How many events were found right."),
    problem: s.string().nullable(),
  }),
  example: { response: { intact: true, checked: 128, problem: null } },
});
