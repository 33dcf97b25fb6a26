import { has } from "@lakehelm/contract/schema";
import type { LogEvent } from "./log-event.ts";

/** The recipients that a definition or a pipeline names for the end of a run. */
export interface Named {
  readonly channels: readonly string[];
  readonly mails: readonly string[];
}

const nobody: Named = { channels: [], mails: [] };

/** The recipients from the `notifications` of an automation's definition, for an event of its run. */
export function namedByDefinition({ kind, data }: LogEvent): Named {
  const of = (key: string) => (has(data.notify, key) ? textsOf(data.notify[key]) : []);
  if (kind === "run.failed") return { ...nobody, channels: of("on_failure") };
  if (kind !== "run.succeeded") return nobody;
  const channels = [...of("on_success"), ...(data.recovered ? of("on_recovery") : [])];
  return { ...nobody, channels };
}

/** Databricks' names. A failed run is final: it has no automatic retries left. */
const alerts: Readonly<Record<string, readonly string[]>> = {
  "run.failed": ["on-update-failure", "on-update-fatal-failure", "on-flow-failure"],
  "run.succeeded": ["on-update-success"],
};

/** The entries of a pipeline's `notifications` for this outcome of an update. Malformed entries are ignored. */
export function namedByPipeline({ kind }: LogEvent, entries: unknown): Named {
  const wanted = alerts[kind] ?? [];
  const asking = (Array.isArray(entries) ? entries : []).filter(
    (entry) => has(entry, "alerts") && textsOf(entry.alerts).some((alert) => wanted.includes(alert)),
  );
  const all = (key: string) => asking.flatMap((entry) => (has(entry, key) ? textsOf(entry[key]) : []));
  return { channels: all("channels"), mails: [...new Set(all("email_recipients"))] };
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
