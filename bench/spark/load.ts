import type { Client } from "@lakehelm/contract/client";
import { runOf } from "../movement/api.ts";
import type { Sample } from "../movement/sample.ts";
import type { Started } from "../processes.ts";
import type { BenchCluster } from "./cluster.ts";
import { timeOf } from "./latency.ts";

export interface Load {
  readonly jdbcMs: number;
  readonly jdbcTwoReadersMs: number;
  readonly ours: Sample;
}

/** Loads the table `orders` of PostgreSQL into new Delta tables: with Spark's own JDBC reader, and with a connector. */
export async function measureLoad(
  cluster: BenchCluster,
  client: Client,
  server: Started,
  { environment, postgres, rows, round }: LoadOptions,
): Promise<Load> {
  const jdbc = (target: string, more: string) =>
    timeOf(async () => {
      const { host, pathname, username, password } = postgres;
      await cluster.run(
        `CREATE OR REPLACE TEMPORARY VIEW source USING jdbc OPTIONS (url 'jdbc:postgresql://${host}${pathname}', dbtable 'orders',
         user '${decodeURIComponent(username)}', password '${decodeURIComponent(password)}', driver 'org.postgresql.Driver',
         fetchsize '10000'${more})`,
      );
      await cluster.run(`CREATE TABLE main.bench.${target} USING delta AS SELECT * FROM source`);
    });
  const created = await client.createConnector({
    body: {
      name: `orders-${round}`,
      target_type: "warehouse",
      target_config: {
        connection: { name: "shop", type: "postgresql", config: configOf(postgres) },
      },
      execution_mode: "manual",
      created_by: "bench",
      datasets: [
        {
          source_dataset: "orders",
          target_name: `main.bench.ours_${round}`,
          primary_keys: ["id"],
          watermark_column: "updated_at",
        },
      ],
    },
    environment,
  });
  // Starts the engine and loads the driver: neither is part of a run.
  for (let nth = 0; ; nth++) {
    try {
      await client.checkConnector({ params: { connector_id: created.id }, timeoutMs });
      break;
    } catch (error) {
      // On a very busy machine the engine, which has a low priority, may not start in time.
      if (nth === 5) throw error;
    }
  }
  const jdbcMs = await jdbc(`jdbc_${round}`, "");
  const ours = await runOf(client, server, created.workflow_id);
  const parts = `, partitionColumn 'id', lowerBound '1', upperBound '${rows}', numPartitions '2'`;
  const jdbcTwoReadersMs = await jdbc(`parallel_${round}`, parts);
  await requireSame(client, environment, round, rows);
  return { jdbcMs, ours, jdbcTwoReadersMs };
}

/** Long, because the machine may be busy. */
const timeoutMs = 300_000;

interface LoadOptions {
  readonly environment: string;
  readonly postgres: URL;
  readonly rows: number;
  readonly round: number;
}

const configOf = (postgres: URL) => ({
  host: postgres.hostname,
  port: Number(postgres.port),
  database: postgres.pathname.slice(1),
  user: decodeURIComponent(postgres.username),
  password: decodeURIComponent(postgres.password),
});

async function requireSame(client: Client, environment: string, round: number, rows: number): Promise<void> {
  const fingerprint = (table: string) =>
    `SELECT count(*), sum(price), sum(length(note)) FROM main.bench.${table}_${round}`;
  const [ours, theirs] = [
    await client.runQuery({ body: { sql: fingerprint("ours") }, environment, timeoutMs }),
    await client.runQuery({ body: { sql: fingerprint("jdbc") }, environment, timeoutMs }),
  ];
  if (ours.rows[0]?.[0] === rows && JSON.stringify(ours.rows) === JSON.stringify(theirs.rows)) return;
  throw new Error(`The rows differ: ${JSON.stringify(ours.rows)}, ${JSON.stringify(theirs.rows)}.`);
}
