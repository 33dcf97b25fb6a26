import type { Client } from "@lakehelm/contract/client";
import { peakOf } from "../movement/api.ts";
import type { Started } from "../processes.ts";
import type { BenchCluster } from "./cluster.ts";

export interface Growth {
  readonly rows: number;
  /** The duration of a pipeline's first update in seconds, as the update reports it. */
  readonly seconds: number;
  /** The duration of the next update, which finds no new rows. */
  readonly unchangedSeconds: number;
  readonly peakMb: number;
}

/** Measures a pipeline with a streaming table and a materialized view over it, on a table with this number of rows. */
export async function measureGrowth(
  cluster: BenchCluster,
  client: Client,
  server: Started,
  environment: string,
  rows: number,
): Promise<Growth> {
  const name = `raw_${rows}`;
  await cluster.run(
    `CREATE TABLE main.bench.${name} USING delta AS SELECT id, id % 1000 AS customer, cast(id % 10000 AS DECIMAL(12,2)) / 100 AS amount,
     concat('order ', id) AS note FROM range(${rows})`,
  );
  const path = `${name}.sql`;
  const sql = `CREATE OR REFRESH STREAMING TABLE main.bench.clean_${rows} (CONSTRAINT paid EXPECT (amount > 0) ON VIOLATION DROP ROW)
    AS SELECT id, customer, amount, note FROM STREAM main.bench.${name};
    CREATE OR REFRESH MATERIALIZED VIEW main.bench.revenue_${rows}
    AS SELECT customer, count(*) AS orders, sum(amount) AS revenue FROM main.bench.clean_${rows} GROUP BY customer;`;
  await client.putFile({ params: { path }, body: Buffer.from(sql), environment });
  const { pipeline_id } = await client.createPipeline({
    body: { name, libraries: [{ file: { path } }] },
    environment,
    timeoutMs: 300_000,
  });
  const update = async () => {
    const { update_id } = await client.startPipelineUpdate({ params: { pipeline_id }, body: {} });
    for (;;) {
      const run = await client.getRun({ params: { run_id: update_id } });
      if (run.status === "succeeded")
        return (Date.parse(run.ended_at ?? "") - Date.parse(run.started_at ?? "")) / 1000;
      if (run.status !== "queued" && run.status !== "running")
        throw new Error(`The update ended as ${run.status}: ${run.error}`);
      await new Promise((next) => setTimeout(next, 200));
    }
  };
  const seconds = await update();
  return { rows, seconds, unchangedSeconds: await update(), peakMb: peakOf(server) };
}
