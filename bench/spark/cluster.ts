import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "@lakehelm/testing/free-port";
import { Channel, SparkSession } from "../../packages/spark-connect/src/index.ts";
import { startConnect } from "../../scripts/spark/connect.ts";
import { prepareSpark } from "../../scripts/spark/setup.ts";
import { stopper } from "../processes.ts";

/** A Spark Connect server on this machine, and a bare client of its protocol. */
export interface BenchCluster {
  readonly remote: string;
  readonly token: string;
  readonly session: SparkSession;
  /** Runs a statement and waits for its end. */
  run(sql: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startBenchCluster(folder: string): Promise<BenchCluster> {
  const spark = await prepareSpark(".venv");
  process.env.JAVA_HOME = spark.JAVA_HOME;
  const [port, token] = [await freePort(), "bench"];
  const child = await startConnect({
    ...{ folder, port, token, home: spark.TEST_SPARK_HOME ?? "" },
    master: "local[2]",
    catalogs: ["main"],
    classPath: `${spark.TEST_SPARK_JARS}/*:${spark.TEST_SPARK_CATALOG}/*`,
    warehouse: join(folder, "warehouse"),
    metastore: {
      "spark.hadoop.javax.jdo.option.ConnectionURL": `jdbc:derby:;databaseName=${folder}/metastore;create=true`,
    },
    settings: {
      "spark.driver.memory": "2g",
      "spark.driver.host": "127.0.0.1",
      "spark.ui.enabled": "false",
      "spark.sql.shuffle.partitions": "2",
      "spark.databricks.delta.snapshotPartitions": "2",
    },
    javaOptions: [`-Dderby.stream.error.file=${folder}/derby.log`],
  });
  const stopChild = stopper(child);
  const channel = new Channel({
    authority: `127.0.0.1:${port}`,
    tls: false,
    token,
    maxMessageBytes: 128 * 1024 * 1024,
    async connect() {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      return socket;
    },
  });
  const session = new SparkSession(channel, { user: "bench" });
  return {
    remote: `sc://127.0.0.1:${port}`,
    token,
    session,
    async run(sql) {
      await Array.fromAsync(session.execute(sql));
    },
    async stop() {
      await channel.close();
      await stopChild();
    },
  };
}
