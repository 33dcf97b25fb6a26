import { type ChildProcess, execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@lakehelm/testing/free-port";
import { isNightly } from "@lakehelm/testing/nightly";
import { startCluster, startWorker } from "../../../scripts/spark/cluster.ts";
import { startConnect } from "../../../scripts/spark/connect.ts";
import { dropSchemas } from "./run-statements.ts";

/** A Spark Connect server on this machine, with Delta, its own metastore and its own catalogs. */
export interface ConnectServer {
  /** The `configuration` of an environment on this server; `token` is its token. */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly token: string;
  /** The folder with the tables. */
  readonly warehouse: string;
  /** Kills the server with SIGKILL, and starts a new one on the same port with the same tables. */
  crash(): Promise<void>;
  /**
   * Kills a worker of a standalone cluster with SIGKILL and starts a new one. Does nothing if the server itself
   * executes tasks.
   */
  killWorker(): Promise<void>;
  /** Kills the executors of a worker with SIGKILL. Spark starts new ones. */
  killExecutors(): Promise<void>;
  /** Drops all tables, because the next suite uses the same process. A server with its own jars and settings ends. */
  stop(): Promise<void>;
}

/**
 * One server for all suites of a process: in nightly runs on a standalone cluster with two workers, otherwise with
 * tasks in its own process. A new server needs half a minute of CPU time until it has executed each kind of statement.
 */
const shared = new Map<string, Promise<ConnectServer>>();

interface OwnSettings {
  /** Folders with jars in addition to those of all suites. */
  readonly jars: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}

interface Options {
  readonly catalogs?: readonly string[];
  /** A server with these is not shared. */
  readonly own?: OwnSettings;
}

/**
 * Returns the shared server for these catalogs. Other catalogs get another server, because a catalog hides schemas of
 * the same name.
 */
export async function startConnectServer(options: Options = {}): Promise<ConnectServer> {
  const { catalogs = ["main", "dev"], own } = options;
  if (own) return start(catalogs, own);
  const server = shared.get(catalogs.join()) ?? start(catalogs);
  shared.set(catalogs.join(), server);
  return server;
}

async function start(catalogs: readonly string[], own?: OwnSettings): Promise<ConnectServer> {
  const { TEST_SPARK_HOME, TEST_SPARK_JARS, TEST_SPARK_CATALOG, TEST_SPARK_ARCHIVE } = process.env;
  if (!TEST_SPARK_HOME) throw new Error("This suite needs Spark: run it by npm run test:spark.");
  const home = TEST_SPARK_HOME;
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-connect-"));
  const [port, token] = [await freePort(), "a-token-for-tests"];
  const warehouse = join(folder, "warehouse");
  let child: ChildProcess | undefined;
  const ofCluster: ChildProcess[] = [];
  process.once("exit", () => {
    for (const one of [child, ...ofCluster]) one?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const cluster = isNightly
    ? await startCluster({ home, folder, port: await freePort(), pagePort: 0 }, (_, started) => {
        ofCluster.push(started);
        leave(started);
      })
    : undefined;
  const workers = [...(cluster?.workers ?? [])];

  async function begin(): Promise<void> {
    child = await startConnect({
      ...{ home, folder, port, token, catalogs },
      master: cluster?.url ?? "local[2]",
      classPath: `${TEST_SPARK_JARS}/*`,
      warehouse,
      metastore: {
        "spark.hadoop.javax.jdo.option.ConnectionURL": `jdbc:derby:;databaseName=${folder}/metastore;create=true`,
      },
      settings: {
        // These jars are not on the class path, which must be that of the archive.
        "spark.jars": [TEST_SPARK_CATALOG, ...(own?.jars ?? [])].map((of) => `${of}/*.jar`).join(),
        "spark.driver.memory": "1g",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        ...(cluster ? { "spark.executor.memory": "1g" } : forFewRows),
        "spark.sql.shuffle.partitions": "1",
        "spark.databricks.delta.snapshotPartitions": "1",
        ...own?.settings,
      },
      javaOptions: [
        "-XX:TieredStopAtLevel=1",
        "-XX:ReservedCodeCacheSize=200m",
        "-XX:+UseSerialGC",
        `-XX:SharedArchiveFile=${TEST_SPARK_ARCHIVE}`,
        `-Dderby.stream.error.file=${folder}/derby.log`,
      ],
    });
    leave(child);
  }

  await begin();
  const server: ConnectServer = {
    configuration: { remote: `sc://127.0.0.1:${port}`, catalog: catalogs[0], schema: "shop", catalogs },
    ...{ token, warehouse },
    async crash() {
      if (child) await end(child);
      // Derby's lock file still belongs to the killed process.
      await rm(join(folder, "metastore", "db.lck"), { force: true });
      await begin();
    },
    async killWorker() {
      const [worker] = workers.splice(0, 1);
      if (!cluster || !worker) return;
      await end(worker);
      const next = await startWorker({ home, folder }, cluster.url);
      ofCluster.push(next);
      workers.push(next);
      leave(next);
    },
    async killExecutors() {
      if (!workers[0]) return;
      const { stdout } = await promisify(execFile)("pgrep", ["-P", String(workers[0].pid)]);
      for (const pid of stdout.trim().split("\n")) process.kill(Number(pid), "SIGKILL");
    },
    async stop() {
      if (!own) return dropSchemas(server, catalogs);
      for (const one of [child, ...ofCluster]) if (one) await end(one);
    },
  };
  return server;
}

/** The same settings as in scripts/spark/session.py. */
const forFewRows = {
  "spark.default.parallelism": "1",
  "spark.sql.codegen.wholeStage": "false",
  "spark.sql.codegen.factoryMode": "NO_CODEGEN",
};

/** Lets this process exit without waiting for the child process, which is killed then. */
function leave(child: ChildProcess): void {
  child.unref();
  (child.stderr as Socket | null)?.unref();
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.ref();
  child.kill("SIGKILL");
  await ended;
}
