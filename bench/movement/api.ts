import { readdirSync, readFileSync } from "node:fs";
import { type Client, createClient } from "@lakehelm/contract/client";
import { type Started, startServer, token } from "../processes.ts";
import { peakMb, type Sample } from "./sample.ts";

/** A server with connectors for the table. A measurement covers everything from the API request to the last commit. */
export interface TransferServer {
  readonly port: number;
  /** `GET` of this path returns one connector. */
  readonly onePath: string;
  /** Runs a connector, waits for its end and returns the time of the run. */
  moveIn(): Promise<Sample>;
  moveOut(): Promise<Sample>;
  /** Loads into a new table, so that it is always a first load. */
  moveInAgain(): Promise<Sample>;
  stop(): Promise<void>;
}

/** A production server with the memory that the bar was set for: that of a small machine. */
const settings = { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1", PLATFORM_WAREHOUSE_MEMORY_MB: "128" };

export async function startTransferServer(
  folder: string,
  port: number,
  postgres: URL,
): Promise<TransferServer> {
  // An earlier start fills Node's compile cache, with which the measured start needs 30 MB less.
  await (await startServer(folder, port, settings)).stop();
  const server = await startServer(folder, port, settings);
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token });
  const config = {
    host: postgres.hostname,
    port: Number(postgres.port),
    database: postgres.pathname.slice(1),
    user: postgres.username,
    password: postgres.password,
  };
  async function connector(
    name: string,
    target_type: string,
    target_config: Record<string, unknown>,
    target: string,
  ) {
    const made = await client.createConnector({
      body: {
        name,
        target_type,
        target_config,
        execution_mode: "manual",
        created_by: "bench",
        datasets: [
          {
            source_dataset: "orders",
            target_name: target,
            primary_keys: ["id"],
            watermark_column: "updated_at",
          },
        ],
      },
    });
    // This starts the engine and loads the driver, so that neither is part of a run.
    await client.checkConnector({ params: { connector_id: made.id } });
    return { id: made.id, run: () => runOf(client, server, made.workflow_id) };
  }
  const source = { connection: { name: "shop", type: "postgresql", config } };
  const incoming = await connector("in", "warehouse", source, "orders");
  const again = await connector("again", "warehouse", source, "orders_again");
  const outgoing = await connector("out", "postgresql", config, "back");
  return {
    port,
    onePath: `/api/v1/connectors/${incoming.id}`,
    moveIn: incoming.run,
    moveOut: outgoing.run,
    moveInAgain: again.run,
    stop: server.stop,
  };
}

export async function runOf(client: Client, server: Started, job_id: string | null): Promise<Sample> {
  let run = await client.runJob({ params: { job_id: job_id ?? "" } });
  while (run.status === "queued" || run.status === "running") {
    await new Promise((next) => setTimeout(next, 200));
    run = await client.getRun({ params: { run_id: run.id } });
  }
  if (run.status !== "succeeded") throw new Error(`The run ended as ${run.status}: ${run.error}`);
  return { ms: Date.parse(run.ended_at ?? "") - Date.parse(run.started_at ?? ""), peakMb: peakOf(server) };
}

/** The sum of the peak memory of the server and its engine. */
export function peakOf({ process: { pid } }: Started): number {
  const engines = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean),
  );
  return [Number(pid), ...engines.map(Number)].reduce((sum, one) => sum + peakMb(one), 0);
}
