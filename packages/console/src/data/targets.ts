import type { Run } from "@lakehelm/contract";

/** The page of the resource whose job this is; undefined if there is none. `name` is the name of the resource. */
export function pathOfJob(jobId: string, name?: string | null): string | undefined {
  const kind = jobId.slice(0, jobId.indexOf("-"));
  if (kind === "automation" && name) return `/automations/${encodeURIComponent(name)}`;
  const id = jobId.slice(kind.length + 1);
  const pages: Readonly<Record<string, string>> = {
    connector: "connectors",
    flow: "flows",
    pipeline: "pipelines",
  };
  return pages[kind] && `/${pages[kind]}/${id}`;
}

/** The page of a table by its full name, in the environment of the table. */
export function pathOfTable(name: string, environment?: string): string {
  const path = `/catalog/${name.split(".").map(encodeURIComponent).join("/")}`;
  return environment === undefined ? path : `${path}?env=${encodeURIComponent(environment)}`;
}

/** What started a run, in one line. */
export function causeText({ trigger, by, reason }: Run["cause"]): string {
  const who = by ? ` by ${by}` : "";
  const words: Readonly<Record<string, string>> = {
    cron: "schedule",
    table_update: "changed tables",
    file_arrival: "new files",
    live: "live",
    manual: "started",
    retry: "retried",
    automation: "automation",
  };
  return `${words[trigger] ?? trigger}${who}${reason ? `: ${reason}` : ""}`;
}

/** Kinds of resources that each have a page. */
const kindsWithPages = [
  "agent",
  "app",
  "connector",
  "deployment",
  "environment",
  "flow",
  "pipeline",
  "plan",
  "run",
];

/** Kinds whose resources share one page. */
const sharedPages: Readonly<Record<string, string>> = {
  backup: "/settings",
  drift: "/drift",
  event_log: "/events",
  secret: "/secrets",
  "secret-scope": "/secrets",
  server: "/settings",
  token: "/tokens",
  user: "/users",
};

/**
 * The page of an event's subject, such as `connector/019f…`; undefined if there is none. For automations, `name` is
 * required.
 */
export function pathOfSubject(subject: string, name?: unknown): string | undefined {
  const at = subject.indexOf("/");
  const kind = at < 0 ? subject : subject.slice(0, at);
  const id = subject.slice(kind.length + 1);
  if (kindsWithPages.includes(kind)) return `/${kind}s/${encodeURIComponent(id)}`;
  const known = typeof name === "string" ? name : undefined;
  if (kind === "automation") return known && `/automations/${encodeURIComponent(known)}`;
  if (kind === "job") return pathOfJob(id, known);
  if (kind === "table") return pathOfTable(id);
  return sharedPages[kind];
}
