import { type ChildProcess, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** The folders of a Spark program. */
export interface SparkProgram {
  /** `SPARK_HOME` */
  readonly home: string;
  /** The folder for everything that the program writes, except tables. */
  readonly folder: string;
}

export interface ConnectOptions extends SparkProgram {
  /** Delta, JDBC drivers and the catalog class: `/jars/*:/catalog/*`. */
  readonly classPath: string;
  /** `local[2]` or `spark://host:port` */
  readonly master: string;
  readonly port: number;
  readonly token: string;
  readonly catalogs: readonly string[];
  /** The folder of tables, which all machines of the cluster must see. */
  readonly warehouse: string;
  /** The JDBC settings of the metastore. */
  readonly metastore: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly javaOptions?: readonly string[];
}

/** The settings that an environment on Spark needs. Those of docs/reference/spark.md. */
const connectSettings = (options: ConnectOptions): Readonly<Record<string, string>> => ({
  "spark.master": options.master,
  "spark.connect.grpc.binding.address": "127.0.0.1",
  "spark.connect.grpc.binding.port": String(options.port),
  "spark.connect.authenticate.token": options.token,
  "spark.connect.execute.manager.detachedTimeout": "24h",
  "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
  "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
  ...Object.fromEntries(
    options.catalogs.map((name) => [
      `spark.sql.catalog.${name}`,
      "org.apache.spark.sql.lakehelm.PrefixedCatalog",
    ]),
  ),
  "spark.sql.sources.default": "delta",
  "spark.sql.catalogImplementation": "hive",
  "spark.sql.warehouse.dir": options.warehouse,
  "spark.sql.session.timeZone": "UTC",
  "spark.sql.runSQLOnFiles": "false",
  "spark.driver.extraClassPath": options.classPath,
  "spark.executor.extraClassPath": options.classPath,
  "spark.driver.extraJavaOptions": ["-Duser.timezone=UTC", ...(options.javaOptions ?? [])].join(" "),
  "spark.executor.extraJavaOptions": "-Duser.timezone=UTC",
  "spark.local.dir": join(options.folder, "local"),
  ...options.metastore,
  ...options.settings,
});

/** Starts a Spark Connect server and waits until it accepts connections. */
export function startConnect(options: ConnectOptions): Promise<ChildProcess> {
  const settings = Object.entries(connectSettings(options));
  return startSpark(
    options,
    "spark-submit",
    [
      ...["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "--name", "lakehelm"],
      ...settings.flatMap(([name, value]) => ["--conf", `${name}=${value}`]),
      "spark-internal",
    ],
    /Spark Connect server started/,
  );
}

/** Starts a program of Spark and waits until its log contains a line. */
export async function startSpark(
  { home, folder }: SparkProgram,
  program: "spark-submit" | "spark-class",
  args: readonly string[],
  ready: RegExp,
): Promise<ChildProcess> {
  await mkdir(folder, { recursive: true });
  const child = spawn(join(home, "bin", program), args, {
    cwd: folder,
    env: {
      ...process.env,
      SPARK_HOME: home,
      // Overrides a SPARK_CONF_DIR of the user. Spark's Python package has no such folder, and an archive of classes
      // needs the same class path each time.
      SPARK_CONF_DIR: join(home, "conf"),
      SPARK_LOCAL_IP: "127.0.0.1",
      TZ: "UTC",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  await new Promise<void>((done, fail) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      log = `${log}${chunk}`.slice(-20_000);
      if (ready.test(log)) done();
    });
    child.once("error", fail);
    child.once("exit", (code) =>
      fail(new Error(`${program} ended with code ${code}:\n${log.slice(-4_000)}`)),
    );
  });
  return child;
}
