import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { query, startPostgres, type TestPostgres } from "@lakehelm/testing";
import pg from "pg";
import type { CaptureRequest, ConnectionConfig, Dataset } from "../protocol/transfer.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** A separate PostgreSQL, because a snapshot waits for all open transactions of its server. */
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
  const server = await logServer(join(folder, "postgres"), settings);
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

/** TEST_LOG_SERVER: the URL of a server of another version, which has `wal_level=logical` and is not used otherwise. */
async function logServer(folder: string, settings: readonly string[]): Promise<TestPostgres> {
  const url = process.env.TEST_LOG_SERVER;
  if (url === undefined) return startPostgres(folder, { settings });
  const { rows } = await query(url, "show server_version");
  const nothing = async () => {};
  return { url, version: String(rows[0]?.server_version), halt: nothing, start: nothing, stop: nothing };
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

/** Tables for random changes: one with a key and a large value, one without. */
export const capturedTables = ["keyed", "bare"] as const;

export const createCapturedTables = (client: pg.Client): Promise<unknown> =>
  client.query(`CREATE TABLE keyed (id int PRIMARY KEY, n int, body text);
    ALTER TABLE keyed ALTER body SET STORAGE EXTERNAL;
    CREATE TABLE bare (n int, note text); ALTER TABLE bare REPLICA IDENTITY FULL`);

/** Several transactions, each of which changes some rows of both tables. */
export async function changeCapturedTables(client: pg.Client, random: SeededRandom): Promise<void> {
  for (let transaction = 0; transaction < 3; transaction++) {
    const id = random.below(40);
    const statements = [
      `INSERT INTO keyed VALUES (${id}, 0, repeat('${id}', 4000)) ON CONFLICT (id) DO UPDATE SET n = keyed.n + 1`,
      `UPDATE keyed SET n = n + 1 WHERE id % 3 = ${random.below(3)}`,
      `DELETE FROM keyed WHERE id = ${random.below(40)}`,
      `UPDATE keyed SET id = id + 1000 WHERE id = ${random.below(40)} AND NOT EXISTS (SELECT 1 FROM keyed WHERE id >= 1000)`,
      `UPDATE keyed SET id = id - 500 WHERE id >= 1000`,
      `INSERT INTO bare SELECT ${random.below(3)}, 'x' FROM generate_series(1, 2)`,
      `UPDATE bare SET n = n + 1 WHERE ctid IN (SELECT ctid FROM bare LIMIT 1)`,
      `DELETE FROM bare WHERE n = ${random.below(8)}`,
      ...(random.below(8) === 0 ? ["TRUNCATE bare"] : []),
    ];
    const chosen = random.shuffled(statements).slice(0, 5);
    await client.query(`DELETE FROM keyed WHERE id BETWEEN 500 AND 999; BEGIN; ${chosen.join("; ")}; COMMIT`);
  }
}
