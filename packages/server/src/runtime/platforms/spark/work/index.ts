import {
  DataProblem,
  type Engine,
  type EngineRequests,
  plannedUpdate,
  type RequestKind,
  type RequestOptions,
} from "@lakehelm/engine";
import type { Warehouse } from "../../platform.ts";
import type { Clusters } from "../clusters.ts";
import type { PipelineExists } from "../pipelines/dataset-table.ts";
import { readPipeline } from "../pipelines/plan.ts";
import {
  hasPython,
  type PythonUpdates,
  pythonProblems,
  runPythonUpdate,
} from "../pipelines/python-update.ts";
import { runUpdate } from "../pipelines/update.ts";
import { planFlowRun, runFlow } from "./flow.ts";
import { planScript, runScript } from "./script.ts";
import { createVersionCache, readVersions } from "./versions.ts";
import { inWorkSession, type WorkOptions } from "./work-session.ts";

type Handlers = {
  readonly [Kind in RequestKind]?: (
    body: EngineRequests[Kind][0],
    options: WorkOptions,
  ) => Promise<EngineRequests[Kind][1]>;
};

interface ClusterEngineOptions {
  readonly applyMetadata: NonNullable<Warehouse["applyMetadata"]>;
  readonly now: () => Date;
  readonly pipelineExists: PipelineExists;
  readonly python: PythonUpdates;
}

/** Short, because a caller waits for the plan. */
const planWaitMs = 5_000;

/** What runs ask of a cluster: scripts, flows, pipelines and the versions of tables. */
export function createClusterEngine(
  clusters: Clusters,
  { applyMetadata, now, pipelineExists, python }: ClusterEngineOptions,
): Pick<Engine, "request"> {
  const versions = createVersionCache(now);
  const handlers: Handlers = {
    scriptPlan: planScript,
    async script(script, options) {
      const { scope, idempotencyKey } = script;
      const cluster = await clusters.open(scope.environment);
      const key = idempotencyKey ?? crypto.randomUUID();
      return inWorkSession(cluster, key, options, (session) =>
        runScript(
          session,
          script,
          (sql) => applyMetadata({ scope, sql }, options),
          (text) => options.onLogLine?.("info", text),
        ),
      );
    },
    async flowPlan(request, options) {
      const cluster = await clusters.open(request.scope.environment);
      return inWorkSession(cluster, crypto.randomUUID(), { ...options, waitMs: planWaitMs }, (session) =>
        planFlowRun(session, request),
      );
    },
    async pipelinePlan(request, options) {
      if (hasPython(request)) return { problems: pythonProblems(request), tables: [] };
      const cluster = await clusters.open(request.scope.environment);
      return inWorkSession(
        cluster,
        crypto.randomUUID(),
        { ...options, waitMs: planWaitMs },
        async (session) => plannedUpdate(await readPipeline(session, request)),
      );
    },
    async pipeline(request, options) {
      const { scope, update } = request;
      const cluster = await clusters.open(scope.environment);
      return inWorkSession(cluster, update, options, (session) => {
        const { signal } = options;
        if (hasPython(request))
          return runPythonUpdate(python, { cluster, session }, request, { signal, listeners: options });
        return runUpdate(
          {
            session,
            signal,
            listeners: options,
            applyMetadata: (sql) => applyMetadata({ scope, sql }, options),
            pipelineExists,
          },
          request,
        );
      });
    },
    // Tables name their pipeline in a property, which means nothing once the pipeline is deleted.
    removePipeline: async () => null,
    async versions({ scope, tables = [] }, options) {
      if (tables.length === 0) return [];
      const cluster = await clusters.open(scope.environment);
      return versions(scope.environment, tables, () =>
        inWorkSession(cluster, crypto.randomUUID(), { ...options, waitMs: 0 }, (session) =>
          readVersions(session, cluster.configuration, tables),
        ),
      );
    },
    async flow(run, options) {
      const { scope } = run;
      const cluster = await clusters.open(scope.environment);
      return inWorkSession(cluster, run.run, { ...options, hasViews: true }, (session) =>
        runFlow(
          session,
          run,
          (sql) => applyMetadata({ scope, sql }, options),
          () => now().toISOString(),
          (level, text) => options.onLogLine?.(level, text),
        ),
      );
    },
  };
  return {
    async request<Kind extends RequestKind>(
      kind: Kind,
      body: EngineRequests[Kind][0],
      { signal = new AbortController().signal, onLogLine, onProgress }: RequestOptions = {},
    ): Promise<EngineRequests[Kind][1]> {
      const handler: Handlers[Kind] = handlers[kind];
      if (!handler) throw new DataProblem(`The platform spark does not support the request ${kind}.`);
      return handler(body, { signal, onLogLine, onProgress });
    },
  };
}
