import type { Run } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";

/** A run or a query on a cold cluster takes half a minute on an idle machine, and minutes on a busy one. */
const longestMs = 400_000;

/** Settings of a server whose queries wait for that time, too. */
export const patient = { PLATFORM_QUERY_TIMEOUT_SECONDS: String(longestMs / 1000) };

/** The run, when it has ended. */
export const endedRun = (client: Client, id: string): Promise<Run> =>
  until(
    async () => {
      const run = await client.getRun({ params: { run_id: id } });
      return run.ended_at === null ? undefined : run;
    },
    200,
    longestMs,
  );

export const queryRows = async (client: Client, environment: string, sql: string): Promise<unknown[][]> =>
  (
    await client.runQuery({
      body: { sql, timeout_seconds: longestMs / 1000 },
      environment,
      timeoutMs: longestMs,
    })
  ).rows;
