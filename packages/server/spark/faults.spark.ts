/**
 * Processes are killed with SIGKILL while an import, an export, a pipeline and a script run and new rows arrive: each
 * row must be everywhere, exactly once.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { onlyNightly } from "@lakehelm/testing/nightly";
import { startProcess, testHome } from "../src/testing/process.ts";
import { startTestServer } from "../src/testing/server.ts";
import { type ConnectServer, startConnectServer } from "./connect-server.ts";
import { patient } from "./on-cluster.ts";
import { openWorkload } from "./workload.ts";

suite("kills on Spark", () => {
  let folder: string;
  let spark: ConnectServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "lakehelm-spark-faults-"));
    spark = await startConnectServer();
  });
  after(async () => {
    await spark?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The server process runs in production mode, which must allow a cluster on loopback. */
  const settings = { ...patient, PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1", PLATFORM_LEASE_SECONDS: "5" };

  test("of two servers, the one that runs everything is killed: the other one finishes it", async (t) => {
    const home = await testHome(t, "postgres");
    const killed = await startProcess(t, home, settings);
    const other = await startTestServer({
      settings: { ...settings, PLATFORM_DATA_DIR: home.dataDir, DATABASE_URL: home.databaseUrl ?? "" },
    });
    try {
      const work = await openWorkload(other.client, { spark, folder });
      await work.start(other.client);
      work.put(5);
      killed.child.kill("SIGKILL");
      await killed.ended;
      await work.finish(other.client);
      work.close();
    } finally {
      await other.close();
    }
  });

  test("the only server is killed: the next one finishes everything", onlyNightly, async (t) => {
    const home = await testHome(t, "sqlite");
    const killed = await startProcess(t, home, settings);
    const work = await openWorkload(killed.client, { spark, folder });
    await work.start(killed.client);
    work.put(5);
    killed.child.kill("SIGKILL");
    await killed.ended;
    const next = await startTestServer({ settings: { ...settings, PLATFORM_DATA_DIR: home.dataDir } });
    await work.finish(next.client).finally(() => next.close());
    work.close();
  });

  test("Spark Connect is killed: runs wait for the next one", async (t) => {
    const server = await startTestServer({ settings: patient });
    t.after(() => server.close());
    const work = await openWorkload(server.client, { spark, folder });
    await work.start(server.client);
    work.put(5);
    await spark.crash();
    await work.finish(server.client);
    work.close();
  });

  test("executors and a worker are killed: Spark repeats their tasks", onlyNightly, async (t) => {
    const server = await startTestServer({ settings: patient });
    t.after(() => server.close());
    const work = await openWorkload(server.client, { spark, folder });
    await work.start(server.client);
    await spark.killExecutors();
    work.put(5);
    await spark.killWorker();
    await work.finish(server.client);
    work.close();
  });
});
