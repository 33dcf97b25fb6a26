import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { type SparkProgram, startSpark } from "./connect.ts";

/** A standalone cluster on this machine: a master and two workers with one core each. */
export interface SparkCluster {
  /** `spark://host:port` */
  readonly url: string;
  readonly master: ChildProcess;
  readonly workers: readonly ChildProcess[];
}

interface ClusterOptions extends SparkProgram {
  readonly port: number;
  /** The port of the master's web page; the ports of the workers' pages follow. 0: any port. */
  readonly pagePort: number;
}

const at = ["--host", "127.0.0.1"];

/**
 * Starts the cluster. `onStart` is called for each process at once, so that all can be stopped if one fails to start.
 */
export async function startCluster(
  { port, pagePort, ...spark }: ClusterOptions,
  onStart: (name: string, child: ChildProcess) => void,
): Promise<SparkCluster> {
  const page = (nth: number) => ["--webui-port", `${pagePort === 0 ? 0 : pagePort + nth}`];
  const master = await startSpark(
    spark,
    "spark-class",
    ["org.apache.spark.deploy.master.Master", ...at, "--port", `${port}`, ...page(0)],
    /New state: ALIVE/,
  );
  onStart("The master", master);
  const url = `spark://127.0.0.1:${port}`;
  const workers: ChildProcess[] = [];
  for (const [nth, name] of ["The first worker", "The second worker"].entries()) {
    const worker = await startWorker(spark, url, page(nth + 1));
    onStart(name, worker);
    workers.push(worker);
  }
  return { url, master, workers };
}

export function startWorker(
  spark: SparkProgram,
  url: string,
  page: readonly string[] = ["--webui-port", "0"],
): Promise<ChildProcess> {
  const size = ["--cores", "1", "--memory", "1500m", "--work-dir", join(spark.folder, "work")];
  const args = ["org.apache.spark.deploy.worker.Worker", ...at, ...size, ...page, url];
  return startSpark(spark, "spark-class", args, /Successfully registered with master/);
}
