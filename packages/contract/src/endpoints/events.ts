import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { createdParameters, cursorParameter, environmentParameter } from "./lists.ts";
import { dateTime, exampleTime } from "./shared.ts";

export const Event = s.model("Event", {
  sequence: s.integer().describe("Position in the log, without gaps."),
  id: s.string().describe("UUID of the event."),
  time: dateTime().describe("When the change was made."),
  actor: s
    .string()
    .describe(
      "Who made it: the caller; `platform` for a platform's later response; `lakehelm` for the server itself.",
    ),
  request_id: s
    .string()
    .nullable()
    .describe("`X-Request-Id` of the request that made the change; null: no request did."),
  kind: s.string().describe("For example `connector.created`."),
  subject: s.string().describe("For example `connector/019f…`."),
  data: s.map().describe("Secrets are masked."),
  hash: s.string().describe("Covers this event and, through the previous event's hash, all earlier events."),
});
export type Event = s.Infer<typeof Event>;

const EventPage = s.model("EventPage", {
  events: s.list(Event).describe("The events on this page, oldest first unless `sort` says otherwise."),
  next_after: s
    .integer()
    .describe("`after` of the next page; newest first: the latest event that was examined."),
  next_cursor: s
    .string()
    .nullable()
    .optional()
    .describe(
      "`cursor` of the next page; null: this is the last page. Only in answers to requests with `cursor`, `sort` or a filter other than `kind` and `subject`. A page may have fewer events than `limit`, or none, although there are more: one request examines up to 10,000 events.",
    ),
  removed_through: s
    .integer()
    .describe(
      "The sequence of the last event that retention has removed, 0 if none. Earlier events are in the archive.",
    ),
});

const filterText = () => s.string({ min: 1, max: 1000 }).optional();

export const readEvents = endpoint({
  method: "GET",
  path: "/api/v1/events",
  scope: "list",
  tag: "Events",
  summary: "Read or follow the event log",
  description:
    "With `Accept: text/event-stream` the response is an endless stream: the events after `after` (or `Last-Event-ID`), then new events as they occur, with a heartbeat every 15 seconds. All filters apply to it.\n\nFor the latest changes of a resource, newest first: `?sort=-created&name=orders&created_after=2026-03-01`.\n\nIf retention has removed events after `after` or `Last-Event-ID`, the response is 410: you would miss them. It names the position to continue from. `after=0` always starts with the first event that is left.",
  access: "viewer",
  query: {
    after: s
      .integer({ ge: 0, le: Number.MAX_SAFE_INTEGER })
      .default(0)
      .describe("Only events after this sequence number."),
    limit: s.integer({ ge: 1, le: 1000 }).default(100).describe("Maximum number of events to return."),
    kind: s.string().optional().describe("One kind, or all kinds with a prefix: `connector.*`."),
    subject: s.string().optional().describe("Only events of this subject."),
    actor: filterText().describe("Only changes that this caller made."),
    name: filterText().describe(
      "Only events of resources with exactly this name: the name in the event, or else in an earlier event of the same subject.",
    ),
    ...environmentParameter,
    created_after: createdParameters.created_after.describe("Only changes at this time or later."),
    created_before: createdParameters.created_before.describe("Only changes before this time."),
    search: s
      .string({ min: 1, max: 200 })
      .optional()
      .describe("Only events that contain this text, in any case, in the kind, subject, actor or name."),
    sort: s
      .literal("created", "-created")
      .optional()
      .describe("The order; `-created`: newest first. Default: oldest first."),
    cursor: cursorParameter,
  },
  headers: { "Last-Event-ID": "The id of the last event that you received: the stream resumes after it." },
  response: EventPage,
  streams: "text/event-stream",
  errors: [404, 409, 410],
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
      removed_through: 0,
    },
  },
});

const EventVerdict = s.model("EventVerdict", {
  intact: s.boolean().describe("Whether no event was changed or removed."),
  checked: s.integer().describe("Number of events that were verified."),
  removed: s
    .integer()
    .describe("Number of events before these that retention has removed. Verify them in the archive."),
  problem: s
    .string()
    .nullable()
    .describe("The first problem, such as `Event 3 was changed.`; null: the log is intact."),
  reason: s
    .string()
    .nullable()
    .optional()
    .describe("The kind of the problem, such as `event_changed`, `cut_off` or `pending_forged`."),
});

export const verifyEvents = endpoint({
  method: "GET",
  path: "/api/v1/events/verify",
  scope: "server",
  tag: "Events",
  summary: "Verify that no event in the log was changed or removed",
  access: "admin",
  response: EventVerdict,
  example: { response: { intact: true, checked: 128, removed: 0, problem: null, reason: null } },
});

export const acknowledgeEvents = endpoint({
  isBounded: true,
  method: "POST",
  changes: "nothing",
  path: "/api/v1/events/acknowledge",
  scope: "server",
  tag: "Events",
  summary: "Acknowledge the problems that the event log has found",
  description:
    "Records the event `event_log.acknowledged` and verifies the log again: problems that the log recorded before it no longer count. For example after a backup was restored. A changed or removed event stays a problem.",
  access: "admin",
  effect: "changes the event log",
  body: s.model("AcknowledgeEventsRequest", {
    reason: s.string({ min: 1 }).describe("Why the log is trusted again."),
  }),
  response: EventVerdict,
  example: {
    body: { reason: "The backup of 1 May was restored." },
    response: { intact: true, checked: 129, removed: 0, problem: null, reason: null },
  },
});
