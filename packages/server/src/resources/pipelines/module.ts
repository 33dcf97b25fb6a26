import { setTimeout as pause } from "node:timers/promises";
import type { Engine } from "@lakehelm/engine";
import type { Dependencies } from "../../core/dependencies.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import type { KeptCode } from "../../core/store/kept-code.ts";
import { subjectId } from "../../core/store/store.ts";
import type { Executors } from "../../runtime/jobs/executors.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import type { EnvironmentWarehouses } from "../../runtime/platforms/embedded/warehouses.ts";
import type { PlatformRequests } from "../../runtime/platforms/platform-requests.ts";
import type { CodeGenerator } from "../codegen/generator.ts";
import type { Environments } from "../environments/environments.ts";
import type { Files } from "../files/files.ts";
import { createPipelineCodeReader, createPlannedCodeReader } from "./pipeline-code.ts";
import { createPipelineLineage } from "./pipeline-lineage.ts";
import { createPipelineStatus } from "./pipeline-status.ts";
import { createPipelines } from "./pipelines.ts";
import { pipelineHandlers } from "./routes.ts";
import { createTableRelease } from "./table-release.ts";
import { updateOptions } from "./update-request.ts";
import { updateHandlers } from "./update-routes.ts";
import { runUpdate } from "./update-run.ts";
import { createUpdates } from "./updates.ts";

/** A run waits this long, at most, until its lineage is stored. */
const keepMs = 5_000;

interface PipelinesOptions {
  readonly platformRequests: PlatformRequests;
  readonly outbox: Outbox;
  readonly environments: Environments;
  readonly files: Files;
  readonly jobs: Jobs;
  readonly engine: Pick<Engine, "request">;
  readonly generator: Pick<CodeGenerator, "paths">;
  readonly warehouses: EnvironmentWarehouses;
  readonly holdsDataFolder: () => boolean;
  readonly stopwatch: () => number;
  readonly keptCode: Pick<KeptCode, "keepPipeline">;
}

export function pipelinesModule(deps: Dependencies, options: PipelinesOptions) {
  const { platformRequests, environments, files, jobs, engine, stopwatch } = options;
  const { now } = deps.system;
  const tableRelease = createTableRelease(deps.system, options);
  const rules = createPipelines(deps, platformRequests, environments, tableRelease);
  const status = createPipelineStatus(jobs.history, now);
  const readCode = createPipelineCodeReader(rules, environments, files);
  const updates = createUpdates(deps, rules, environments, jobs);
  const lineage = createPipelineLineage(rules, readCode, options.generator, now);
  const executors: Executors = {
    pipeline: {
      async execute(run, { subject }, working) {
        const parts = { read: readCode, engine, clock: stopwatch, now };
        const id = subjectId("pipeline", subject);
        const metrics = await runUpdate(parts, id, run, working);
        if (updateOptions(run.cause).validate_only) return { metrics: { ...metrics } };
        // The rows are already written: the run succeeds even if its lineage cannot be found.
        const keeping = lineage(id)
          .then((found) => options.keptCode.keepPipeline(id, run.environment_id, found))
          .catch(() => undefined);
        await Promise.race([keeping, pause(keepMs, undefined, { ref: false })]);
        return { metrics: { ...metrics } };
      },
    },
  };
  return {
    rules,
    readPlanned: createPlannedCodeReader(files),
    lineage,
    executors,
    outbox: {
      ...platformRequests.handler("pipeline", rules.recordOutcome, rules.recordWaiting),
      ...tableRelease.outbox,
    },
    handlers: {
      ...pipelineHandlers(rules, environments, status),
      ...updateHandlers(updates, rules, environments, status, readCode),
    },
    prepare: rules.installPending,
    maskStored: rules.maskStored,
  };
}
