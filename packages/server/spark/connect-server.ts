import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@lakehelm/testing/free-port";
import { startConnect } from "../../../scripts/spark/connect.ts";

/** A Spark Connect server on this machine, with Delta, a metastore and catalogs of its own. */
export interface ConnectServer {
  /** `configuration` of an environment on it; its token is `token`. */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly token: string;
  /** kill -9, and a new process on the same port with the same tables. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it with two cores. Takes half a minute. */
export async function startConnectServer({ catalogs = ["main", "dev"] } = {}): Promise<ConnectServer> {
  const { TEST_SPARK_HOME: home, TEST_SPARK_JARS: jars, TEST_SPARK_CATALOG: catalog } = process.env;
  if (!home) throw new Error("This suite needs Spark: run it by npm run test:spark.");
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-connect-"));
  const [port, token] = [await freePort(), "a-token-for-tests"];
  const start = () =>
    startConnect({
      ...{ home, folder, port, token, catalogs },
      master: "local[2]",
      classPath: `${jars}/*:${catalog}/*`,
      warehouse: join(folder, "warehouse"),
      metastore: {
        "spark.hadoop.javax.jdo.option.ConnectionURL": `jdbc:derby:;databaseName=${folder}/metastore;create=true`,
      },
      settings: {
        "spark.driver.memory": "1g",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.databricks.delta.snapshotPartitions": "1",
      },
      javaOptions: [
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        `-Dderby.stream.error.file=${folder}/derby.log`,
      ],
    });
  let child = await start();
  const end = async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) {
      await new Promise((done) => child.once("exit", done));
    }
  };
  return {
    configuration: { remote: `sc://127.0.0.1:${port}`, catalog: catalogs[0], schema: "shop", catalogs },
    token,
    async crash() {
      await end();
      // The metastore is Derby's: its lock is of a process that is gone.
      await rm(join(folder, "metastore", "db.lck"), { force: true });
      child = await start();
    },
    async stop() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
