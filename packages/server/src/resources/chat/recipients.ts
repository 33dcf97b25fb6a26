import { has } from "@lakehelm/contract/schema";
import type { LogEvent } from "./log-event.ts";

/** The recipients that a definition or a pipeline names for the end of a run. */
export interface Recipients {
  readonly channels: readonly string[];
  readonly mails: readonly string[];
}

const noRecipients: Recipients = { channels: [], mails: [] };

/** The recipients from the `notifications` of an automation's definition, for an event of its run. */
export function recipientsOfDefinition({ kind, data }: LogEvent): Recipients {
  const of = (key: string) => (has(data.notify, key) ? stringsOf(data.notify[key]) : []);
  if (kind === "run.failed") return { ...noRecipients, channels: of("on_failure") };
  if (kind !== "run.succeeded") return noRecipients;
  // A successful run has an error if its checks failed.
  const channels = [
    ...of("on_success"),
    ...(data.recovered ? of("on_recovery") : []),
    ...(data.error ? of("on_failure") : []),
  ];
  return { ...noRecipients, channels: [...new Set(channels)] };
}

/** The alert names of Databricks. A failed run is final: it has no automatic retries left. */
const alerts: Readonly<Record<string, readonly string[]>> = {
  "run.failed": ["on-update-failure", "on-update-fatal-failure", "on-flow-failure"],
  "run.succeeded": ["on-update-success"],
};

/** The entries of a pipeline's `notifications` for this outcome of an update. Malformed entries are ignored. */
export function recipientsOfPipeline({ kind }: LogEvent, entries: unknown): Recipients {
  const matching = alerts[kind] ?? [];
  const entriesFor = (Array.isArray(entries) ? entries : []).filter(
    (entry) => has(entry, "alerts") && stringsOf(entry.alerts).some((alert) => matching.includes(alert)),
  );
  const all = (key: string) => entriesFor.flatMap((entry) => (has(entry, key) ? stringsOf(entry[key]) : []));
  return { channels: all("channels"), mails: [...new Set(all("email_recipients"))] };
}

const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
