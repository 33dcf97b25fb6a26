import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Environment } from "@lakehelm/contract";
import { DataProblem, type FolderAccess } from "@lakehelm/engine";
import type { EgressRules } from "@lakehelm/engine/egress";
import type { SparkSession } from "@lakehelm/spark-connect";
import { quoteIdentifier } from "@lakehelm/sql/names";
import { Problem } from "../../../core/errors.ts";
import type { PlatformFinding } from "../platform.ts";
import { type Finding, failed, ok, skipped } from "./check-finding.ts";
import type { Cluster, Clusters } from "./clusters.ts";
import { callersError } from "./for-caller.ts";
import { pythonFor } from "./python-program.ts";
import { checkStaging, stagingAction } from "./staging-check.ts";
import { rowsOf } from "./warehouse/catalog.ts";

const oldest = [4, 0] as const;
const answerMs = 60_000;

interface Part {
  readonly name: string;
  check(cluster: Cluster, session: SparkSession, signal: AbortSignal): Promise<Finding>;
  readonly action: string;
}

const parts: readonly Part[] = [
  {
    name: "delta",
    action: "Start the cluster with Delta's jars and spark.sql.extensions; see docs/reference/spark.md.",
    async check(_, session, signal) {
      const key = "spark.sql.extensions";
      const { [key]: extensions } = await session.configuration([key], { signal });
      return extensions?.includes("DeltaSparkSessionExtension")
        ? ok("Delta tables can be written.")
        : failed(`${key} of the cluster does not name io.delta.sql.DeltaSparkSessionExtension.`, this.action);
    },
  },
  {
    name: "catalog",
    action:
      "Register the catalog in the cluster's settings (spark.sql.catalog.<name>); see docs/reference/spark.md.",
    async check({ configuration: { catalogs, catalog, schema } }, session, signal) {
      for (const name of catalogs) await rowsOf(session, `SHOW SCHEMAS IN ${quoteIdentifier(name)}`, signal);
      const like = `SHOW SCHEMAS IN ${quoteIdentifier(catalog)} LIKE '${schema}'`;
      const [found] = await rowsOf(session, like, signal);
      const listed = `The catalogs ${catalogs.join(", ")} can be listed.`;
      return ok(found ? listed : `${listed} The schema ${catalog}.${schema} does not exist yet.`);
    },
  },
];

/** Whether this server can run libraries in Python. */
async function python(
  { configuration }: Cluster,
  pythons: readonly string[],
  signal: AbortSignal,
): Promise<Finding> {
  if (pythons.length === 0) {
    return skipped(
      "Pipelines with Python libraries are off on this server: PLATFORM_SPARK_PYTHON is not set.",
    );
  }
  const chosen = pythonFor(configuration, pythons);
  if ("problem" in chosen) return failed(chosen.problem, "Change configuration.python, or leave it out.");
  const { program } = chosen;
  try {
    const code = "import pyspark, pyspark.pipelines.cli; print(pyspark.__version__)";
    const { stdout } = await promisify(execFile)(program, ["-I", "-c", code], { signal, env: {} });
    return ok(`${program} has the client of Spark ${stdout.trim()}.`);
  } catch (error) {
    signal.throwIfAborted();
    const [line = ""] = String((error as { stderr?: unknown }).stderr ?? "")
      .trim()
      .split("\n")
      .slice(-1);
    return failed(
      `${program} cannot run pipelines: ${line || (error as Error).message}.`,
      "Install pyspark-client and PyYAML for it; see docs/reference/spark.md.",
    );
  }
}

interface CheckOptions {
  readonly clusters: Clusters;
  readonly folders: FolderAccess;
  readonly egress: EgressRules;
  /** `PLATFORM_SPARK_PYTHON` */
  readonly pythons: readonly string[];
}

/** What works in the cluster of an environment. It writes nothing but a file in `staging`, which it removes. */
export async function checkCluster(
  { clusters, folders, egress, pythons }: CheckOptions,
  environment: Environment,
  signal: AbortSignal,
): Promise<PlatformFinding[]> {
  const names = [...parts.map(({ name }) => name), "staging", "python"];
  const unchecked = (some: readonly string[]): PlatformFinding[] =>
    some.map((name) => ({ name, ...skipped("Not checked.") }));
  let cluster: Cluster;
  try {
    cluster = await clusters.open(environment.id);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const action = "Change the environment, and check it again.";
    return [{ name: "configuration", ...failed(error.message, action) }, ...unchecked(["connect", ...names])];
  }
  const configured = { name: "configuration", ...ok(`The Spark Connect server is ${cluster.authority}.`) };
  const stop = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  const connect = await version(cluster, stop).catch((error: unknown) =>
    problem(
      error,
      "Check configuration.remote and the token, and that the Spark Connect server runs.",
      signal,
    ),
  );
  if (connect.status !== "ok") return [configured, { name: "connect", ...connect }, ...unchecked(names)];
  const found = await Promise.all(
    parts.map(async (part): Promise<PlatformFinding> => {
      const finding = await cluster
        .read((session) => part.check(cluster, session, stop))
        .catch((error: unknown) => problem(error, part.action, signal));
      return { name: part.name, ...finding };
    }),
  );
  const staged = await checkStaging(cluster, environment.id, { folders, egress, signal: stop }).catch(
    (error: unknown) => problem(error, stagingAction(cluster), signal),
  );
  const inPython = await python(cluster, pythons, stop).catch((error: unknown) =>
    problem(error, "Look whether this server is overloaded.", signal),
  );
  return [
    ...[configured, { name: "connect", ...connect }, ...found],
    ...[
      { name: "staging", ...staged },
      { name: "python", ...inPython },
    ],
  ];
}

async function version(cluster: Cluster, signal: AbortSignal): Promise<Finding> {
  const text = await cluster.read((session) => session.version({ signal }));
  const [major = 0, minor = 0] = text.split(".").map(Number);
  const isNew = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  if (isNew) return ok(`Spark ${text} answers.`);
  return failed(`The cluster has Spark ${text}.`, `Use Spark ${oldest.join(".")} or newer.`);
}

function problem(error: unknown, action: string, signal: AbortSignal): Finding {
  signal.throwIfAborted();
  // A pause between two requests ends with an AbortError, whatever the reason was.
  if (error instanceof Error && ["TimeoutError", "AbortError"].includes(error.name)) {
    return failed(`There was no answer within ${answerMs / 1000} s.`, action);
  }
  const known = callersError(error);
  if (known instanceof DataProblem || known instanceof Problem) return failed(known.message, action);
  throw error;
}
