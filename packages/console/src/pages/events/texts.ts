import type { Event } from "@lakehelm/contract";
import { environmentNameOf } from "../../app/permissions.ts";
import type { FieldChange } from "../../ui/changes.tsx";

/** Prefixes of kinds of events, for the filter. */
export const kindGroups = [
  "agent",
  "app",
  "automation",
  "backup",
  "binding",
  "connector",
  "delivery",
  "deployment",
  "drift",
  "environment",
  "event_log",
  "file",
  "flow",
  "job",
  "pipeline",
  "plan",
  "retention",
  "run",
  "secret",
  "server",
  "table",
  "token",
  "user",
].map((group) => `${group}.*`);

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The name of the event's resource, or its id if the event has no name. */
export function subjectName({ subject, data }: Event): string {
  const named = [data.name, data.alias, data.username, data.deployment_name, data.key, data.path].find(
    isText,
  );
  if (named !== undefined) return named;
  const id = subject.slice(subject.indexOf("/") + 1);
  return subject.startsWith("environment/") ? environmentNameOf(id) : id;
}

export const subjectKind = ({ subject }: Event): string => subject.split("/")[0] ?? subject;

/** The changed fields in an event, with their values. */
export function changesOf({ data }: Event): readonly FieldChange[] {
  const { changes } = data;
  if (!Array.isArray(changes)) return [];
  return changes.filter(
    (one): one is FieldChange => typeof one === "object" && one !== null && isText(one.path),
  );
}

/** What happened, in one line. */
export function summaryOf(event: Event): string {
  const { error_message, error, problem, reason, status, fields, role, version } = event.data;
  const changes = changesOf(event);
  if (changes.length > 0) return changes.map(({ path }) => path).join(", ");
  const failure = [error_message, error, problem].find(isText);
  if (failure) return failure;
  if (Array.isArray(fields)) return fields.join(", ");
  return [status, role, version, reason].filter(isText).join(" · ");
}
