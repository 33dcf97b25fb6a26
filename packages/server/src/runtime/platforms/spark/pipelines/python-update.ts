import { posix } from "node:path";
import {
  DataProblem,
  type PipelineCode,
  type RequestListeners,
  type RunUpdateRequest,
  type RunUpdateResult,
} from "@lakehelm/engine";
import { schemaName } from "@lakehelm/sql/names";
import { Stopped } from "../../../jobs/attempt-outcome.ts";
import { scriptPath, type TaskProcesses } from "../../../processes/tasks/task-processes.ts";
import type { Cluster } from "../clusters.ts";
import { pythonFor } from "../python-program.ts";
import type { WorkSession } from "../work/work-session.ts";

/** What runs Python libraries of pipelines, as processes of this server. */
export interface PythonUpdates {
  /** The Python programs that the operator allows (`PLATFORM_SPARK_PYTHON`); none: such pipelines are refused. */
  readonly programs: readonly string[];
  readonly processes: Pick<TaskProcesses, "run" | "abandon">;
}

const pythonFile = /\.py$/i;

export const hasPython = ({ sources }: Pick<PipelineCode, "sources">): boolean =>
  sources.some(({ path }) => pythonFile.test(path));

/** Why libraries in Python cannot run with the others; Spark itself reads them when an update runs. */
export const pythonProblems = ({ sources }: Pick<PipelineCode, "sources">) =>
  sources.flatMap(({ path }) =>
    pythonFile.test(path)
      ? []
      : [
          {
            ...{ path, line: 1, column: 1 },
            message:
              "A pipeline with Python libraries has no SQL ones on Spark. Make it a pipeline of its own.",
          },
        ],
  );

/** A week, because the run has its own time limit. */
const timeoutMs = 7 * 24 * 3600 * 1000;

/** Runs an update by Spark's declarative pipelines: a process of this server sends the code to the cluster and follows it. */
export async function runPythonUpdate(
  { programs, processes }: PythonUpdates,
  { cluster, session }: { readonly cluster: Cluster; readonly session: WorkSession },
  request: RunUpdateRequest,
  { signal, listeners }: { readonly signal: AbortSignal; readonly listeners: RequestListeners },
): Promise<RunUpdateResult> {
  const { scope, update, attempt = 1 } = request;
  const problems = pythonProblems(request);
  if (problems.length > 0)
    throw new DataProblem(problems.map(({ path, message }) => `${path}:1:1: ${message}`).join("\n"));
  const chosen = pythonFor(cluster.configuration, programs);
  if ("problem" in chosen) throw new DataProblem(chosen.problem);
  const { staging } = cluster.configuration;
  if (staging === null) {
    throw new DataProblem(
      "configuration.staging of the environment is missing. Spark keeps the checkpoints of Python pipelines there.",
    );
  }
  await session.rows(`CREATE SCHEMA IF NOT EXISTS ${schemaName(scope)}`);
  // An earlier attempt may have left its process.
  if (attempt > 1) await processes.abandon(update);
  try {
    await processes.run(
      {
        runId: update,
        key: `update ${attempt}`,
        command: [chosen.program, "-u", scriptPath],
        script: scriptOf(filesOf(request, staging), argumentsOf(request)),
        variables: { SPARK_REMOTE: remoteOf(cluster), ...ownAuthorities() },
        secrets: cluster.token === null ? [] : [cluster.token, encodeURIComponent(cluster.token)],
        timeoutMs,
        needsNetwork: true,
      },
      {
        signal,
        isInterrupted: () =>
          signal.reason instanceof Stopped &&
          (signal.reason.reason === "stopping" || signal.reason.reason === "lost"),
        line: (level, text) => listeners.onLogLine?.(level === "debug" ? "info" : level, text),
        async starting() {},
      },
    );
  } catch (error) {
    signal.throwIfAborted();
    throw new DataProblem((error as Error).message, { cause: error });
  }
  // Spark's events have neither counts nor kinds of tables.
  return { tables: [], changed: [] };
}

/** The files of the update, by path in its folder. JSON is YAML, too. */
function filesOf(
  { scope, pipeline, sources, configuration }: RunUpdateRequest,
  staging: string,
): Readonly<Record<string, string>> {
  const root = staging.startsWith("/") ? `file://${staging}` : staging.replace(/^s3:/, "s3a:");
  const specification = {
    name: pipeline,
    catalog: scope.catalog,
    database: scope.schema,
    storage: `${root.replace(/\/+$/, "")}/lakehelm-${scope.environment}/pipelines/${encodeURIComponent(pipeline)}`,
    configuration,
    libraries: [{ glob: { include: "libraries/**" } }],
  };
  return {
    "spark-pipeline.yml": JSON.stringify(specification),
    ...Object.fromEntries(
      sources.map(({ path, text }, at) => [`libraries/${at + 1}/${posix.basename(path)}`, text]),
    ),
  };
}

function argumentsOf({ refresh, fullRefresh }: RunUpdateRequest): readonly string[] {
  const names = (option: string, tables: readonly string[]) =>
    tables.length > 0 ? [option, tables.join(",")] : [];
  const chosen = refresh === "all" ? [] : refresh.filter((name) => !fullRefresh.includes(name));
  return [
    ...["spark-pipelines", "run", "--spec", "spark-pipeline.yml"],
    ...(fullRefresh === "all" ? ["--full-refresh-all"] : names("--full-refresh", fullRefresh)),
    ...names("--refresh", chosen),
  ];
}

/** Writes the files beside itself, then does what the program `spark-pipelines` does. A JSON text is a text of Python, too. */
const scriptOf = (files: Readonly<Record<string, string>>, args: readonly string[]): string => {
  const literal = (value: unknown) => `json.loads(${JSON.stringify(JSON.stringify(value))})`;
  return `import json, os, sys
for path, text in ${literal(files)}.items():
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
sys.argv = ${literal(args)}
from pyspark.pipelines.cli import main
main()
`;
};

/** Certificates that the client in Python trusts, if the operator of this server names a file of them. */
function ownAuthorities(): Readonly<Record<string, string>> {
  const { GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: path } = process.env;
  return path === undefined ? {} : { GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: path };
}

/** The client in Python sends a token without TLS only to the name localhost. */
function remoteOf({ configuration: { host, port, tls }, token }: Cluster): string {
  const name = /^(?:127\.0\.0\.1|\[?::1\]?)$/.test(host) ? "localhost" : host;
  const parameters = [
    ...(tls ? ["use_ssl=true"] : []),
    ...(token === null ? [] : [`token=${encodeURIComponent(token)}`]),
    "user_id=lakehelm",
  ];
  return `sc://${name}:${port}/;${parameters.join(";")}`;
}
