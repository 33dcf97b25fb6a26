import { resourceTables } from "../core/store/tables.ts";
import type { TestServer } from "./server.ts";

/** Tables that no quota counts, and what limits them instead. Quotas count what a write adds to any other table. */
const bounded: Readonly<Record<string, string>> = {
  aliases: "those of an agent are in its document",
  cursors: "one of each reader",
  deliveries: "messages that were sent are removed after a while",
  deployment_counts: "a row of each status",
  drift: "the server's own records",
  environment_requests: "one of each environment",
  event_head: "one row",
  event_start: "one row",
  events: "they have a retention",
  file_owners: "a row of each file, which have quotas of their own",
  idempotency: "answers are kept for a day, with a limit of their own",
  installed_settings: "of resources that count",
  jobs: "of resources that count",
  keyring: "a few rows",
  leases: "a few rows",
  lineage: "of resources that count",
  outbox: "what was done is removed",
  overrides: "one of each release",
  pending_events: "they are sealed at once",
  plan_locks: "one of each environment",
  positions: "one of each table",
  processes: "of resources that count",
  rejected_events: "none that the server writes",
  run_log: "it has a retention",
  runs: "they have a retention",
  schema_version: "one row",
  stored_usage: "it is what counts",
  summaries: "one of each environment",
  tallies: "counts of resources",
};

/** The number of stored characters that quotas should count. */
export async function storedCharacters(server: Pick<TestServer, "rows">): Promise<number> {
  let sum = 0;
  for (const [table, rows] of Object.entries(await server.rows())) {
    if (table in bounded) continue;
    for (const { xmin, ...row } of rows)
      for (const value of Object.values(row)) if (typeof value === "string") sum += value.length;
  }
  return sum;
}

const kinds = ["", ...resourceTables, "roles", "secret_scopes", "secrets"];
/** More than every limit. */
const much = 1e12;

/** Does work while every quota is exhausted, both of environments and of the server. */
export async function whileFull<Result>(
  { deps, rows }: Pick<TestServer, "deps" | "rows">,
  work: () => Promise<Result>,
): Promise<Result> {
  const environments = ((await rows()).environments ?? []).map(({ id }) => `environment/${id}`);
  const write = async (sql: string) => void (await deps.store.engine.write([{ sql, parameters: [] }]));
  const values = ["server", ...environments].flatMap((scope) =>
    kinds.map((kind) => `('${scope}', '${kind}', ${much}, ${much})`),
  );
  await write(`insert into stored_usage (scope, kind, n, bytes) values ${values.join(", ")}
    on conflict (scope, kind) do update set n = stored_usage.n + ${much}, bytes = stored_usage.bytes + ${much}`);
  try {
    return await work();
  } finally {
    await write(`update stored_usage set n = n - ${much}, bytes = bytes - ${much} where n > ${much / 2}`);
  }
}
