/**
 * Starts a Spark cluster on this machine, to try the platform `spark`: a master, two workers, a Spark Connect server
 * and a Hive metastore in PostgreSQL. Installs missing software into `.venv/`. Tables stay in the folder `--folder`;
 * Ctrl-C stops everything. `--conf name=value` adds settings of Spark; with settings of `s3a`, Spark can use buckets.
 */
import type { ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "@lakehelm/testing";
import { startCluster } from "./spark/cluster.ts";
import { startConnect } from "./spark/connect.ts";
import { prepareS3Jars } from "./spark/jars.ts";
import { prepareSpark } from "./spark/setup.ts";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    folder: { type: "string", default: ".venv/spark-cluster" },
    port: { type: "string", default: "15002" },
    token: { type: "string", default: "lakehelm" },
    conf: { type: "string", multiple: true, default: [] },
  },
});
const wrong = values.conf.find((setting) => !/^[^=]+=/.test(setting));
if (wrong !== undefined) {
  console.error(`--conf ${wrong}: expected name=value.`);
  process.exit(1);
}
const settings: Readonly<Record<string, string>> = Object.fromEntries(
  values.conf.map((setting) => setting.split(/=(.*)/s).slice(0, 2)),
);
const folder = resolve(values.folder);
const [port, token] = [Number(values.port), values.token];
/** `shop` is the catalog of the example. */
const catalogs = ["main", "dev", "shop"];
const environment = await prepareSpark(".venv").catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
process.env.JAVA_HOME = environment.JAVA_HOME;
const home = environment.TEST_SPARK_HOME ?? "";
const usesBuckets = Object.keys(settings).some((name) => name.startsWith("spark.hadoop.fs.s3a."));
const jars = [
  ...[environment.TEST_SPARK_JARS, environment.TEST_SPARK_CATALOG],
  ...(usesBuckets
    ? [await prepareS3Jars(resolve(".venv", "spark-s3-jars"), environment.TEST_SPARK_PYTHON ?? "")]
    : []),
];
const warehouse = join(folder, "tables");
await mkdir(warehouse, { recursive: true });

const stops: (() => unknown)[] = [];
let isStopping = false;
async function stop(code: number): Promise<never> {
  if (isStopping) process.exit(1);
  isStopping = true;
  for (const end of stops.toReversed()) await end();
  process.exit(code);
}
process.on("SIGINT", () => void stop(0)).on("SIGTERM", () => void stop(0));

function keep(name: string, child: ChildProcess): void {
  stops.push(() => child.kill());
  child.on("exit", (code) => {
    if (isStopping) return;
    console.error(`${name} ended with code ${code}.`);
    void stop(1);
  });
}

try {
  console.log(
    "Starting a metastore in PostgreSQL, a master, two workers and Spark Connect. This takes a minute.",
  );
  const postgres = await startPostgres(join(folder, "metastore"), { isDurable: true });
  stops.push(() => postgres.halt());
  const { url: master } = await startCluster({ home, folder, port: port + 1, pagePort: port + 2 }, keep);
  const { hostname, port: databasePort, username, password, pathname } = new URL(postgres.url);
  const jdo = "spark.hadoop.javax.jdo.option";
  keep(
    "Spark Connect",
    await startConnect({
      ...{ home, folder, master, port, token, warehouse },
      classPath: jars.map((of) => `${of}/*`).join(":"),
      catalogs,
      metastore: {
        [`${jdo}.ConnectionURL`]: `jdbc:postgresql://${hostname}:${databasePort}${pathname}`,
        [`${jdo}.ConnectionDriverName`]: "org.postgresql.Driver",
        [`${jdo}.ConnectionUserName`]: decodeURIComponent(username),
        [`${jdo}.ConnectionPassword`]: decodeURIComponent(password),
        "spark.hadoop.hive.metastore.schema.verification": "false",
        "spark.hadoop.datanucleus.schema.autoCreateTables": "true",
        "spark.hadoop.datanucleus.schema.autoCreateColumns": "true",
        // Creating foreign keys would wait for the metastore's own open transaction.
        "spark.hadoop.datanucleus.schema.autoCreateConstraints": "false",
      },
      settings: {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.executor.memory": "1g",
        "spark.sql.shuffle.partitions": "2",
        "spark.databricks.delta.snapshotPartitions": "2",
        ...settings,
      },
    }),
  );
} catch (error) {
  console.error((error as Error).message);
  await stop(1);
}
const staging = resolve(folder, "staging");
await mkdir(staging, { recursive: true });
const configuration = {
  remote: `sc://127.0.0.1:${port}`,
  token,
  catalog: "main",
  schema: "default",
  catalogs,
  staging,
};
console.log(`The cluster is ready. Its page is http://127.0.0.1:${port + 2}.

Run the example shop on it, with a server of its own:

  npm run demo -- --spark sc://127.0.0.1:${port} --token ${token}

Or use it from your server. Connectors stage their rows in a folder, which the server must allow:

  PLATFORM_CONNECTOR_FOLDERS=${staging} npm start

Then, in another terminal, create an environment on the cluster:

  npx lakehelm login --token-file data/service-token
  echo '${JSON.stringify({ name: "spark", platform: "spark", configuration })}' | npx lakehelm environments create --file -
  npx lakehelm environments check spark

Ctrl-C stops it. Its tables stay in ${folder}.`);
