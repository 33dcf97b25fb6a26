import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres, type TestPostgres } from "@lakehelm/testing";
import pg from "pg";
import type { CaptureRequest, ConnectionConfig, Dataset } from "../protocol/transfer.ts";

/** A PostgreSQL of its own: a snapshot waits for all open transactions of its server. */
export interface LogServer {
  readonly server: TestPostgres;
  readonly connection: ConnectionConfig;
  readonly client: pg.Client;
}

export async function startLogServer(
  t: { after(work: () => Promise<void>): void },
  settings: readonly string[] = ["wal_level=logical"],
): Promise<LogServer> {
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-log-"));
  const server = await startPostgres(join(folder, "postgres"), { settings });
  const { hostname, port, username, password, pathname } = new URL(server.url);
  const client = new pg.Client({ connectionString: server.url, options: "-c TimeZone=UTC" });
  client.on("error", () => {});
  await client.connect();
  t.after(async () => {
    await client.end().catch(() => {});
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    server,
    client,
    connection: {
      type: "postgresql",
      config: {
        host: hostname,
        port: Number(port),
        database: pathname.slice(1),
        user: username,
        password,
        capture: "log",
      },
    },
  };
}

let runs = 0;

/** A run of the connector `shop` that captures `orders`, unless other datasets are given. */
export function captureRequest(
  connection: ConnectionConfig,
  datasets: readonly Partial<Dataset>[] = [{}],
  more: Partial<CaptureRequest> = {},
): CaptureRequest {
  const all = datasets.map((dataset, at) => ({
    id: `dataset-${at}`,
    source: "orders",
    target: dataset.source ?? "orders",
    keys: [],
    strategy: "append" as const,
    watermark: null,
    leftOut: [],
    maxRejectShare: 0.5,
    deletes: false,
    maxDeleteShare: 0.5,
    onMissingColumn: "keep" as const,
    ...dataset,
  }));
  return {
    scope: { environment: "test", catalog: "main", schema: "default" },
    connector: "shop",
    connection,
    datasets: all,
    chosen: all.map(({ id }) => id),
    run: `run-${++runs}`,
    retryRejects: false,
    fromStart: false,
    ...more,
  };
}
