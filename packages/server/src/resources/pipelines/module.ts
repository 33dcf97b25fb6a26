import type { Engine } from "@lakehelm/engine";
import type { Logger } from "pino";
import { createBackground } from "../../core/concurrency/background-tasks.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { subjectId } from "../../core/subjects.ts";
import type { Executors } from "../../runtime/jobs/executors.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import type { Warehouses } from "../../runtime/platforms/embedded/warehouses.ts";
import type { Work } from "../../runtime/platforms/work.ts";
import type { Environments } from "../environments/environments.ts";
import type { Files } from "../files/files.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import { createReading } from "./code.ts";
import { createFreeing } from "./freeing.ts";
import { createLife } from "./life.ts";
import { createPipelines } from "./pipelines.ts";
import { pipelineHandlers } from "./routes.ts";
import { runUpdate } from "./running.ts";
import { updateHandlers } from "./update-routes.ts";
import { createUpdates } from "./updates.ts";

interface Uses {
  readonly work: Work;
  readonly environments: Environments;
  readonly files: Files;
  readonly secrets: SecretStore;
  readonly jobs: Jobs;
  readonly engine: Pick<Engine, "request">;
  readonly warehouses: Warehouses;
  readonly holdsDataFolder: () => boolean;
  readonly stopwatch: () => number;
  readonly log: Logger;
}

export function pipelinesModule(deps: Dependencies, uses: Uses) {
  const { work, environments, files, secrets, jobs, engine, holdsDataFolder, stopwatch, log } = uses;
  const { now } = deps.system;
  const freeing = createFreeing(deps, uses);
  const rules = createPipelines(deps, work, environments, freeing);
  const life = createLife(jobs.history, now);
  const readCode = createReading(rules, environments, files, secrets);
  const updates = createUpdates(deps, rules, environments, jobs);
  const executors: Executors = {
    pipeline: {
      async execute(run, { subject }, working) {
        const using = { read: readCode, engine, clock: stopwatch, now };
        return { metrics: { ...(await runUpdate(using, subjectId("pipeline", subject), run, working)) } };
      },
    },
  };
  const background = createBackground((error) => log.warn({ err: error }, "tables are released later"));
  const releaseTables = () => {
    if (holdsDataFolder()) background.run(freeing.freeAll);
  };
  return {
    rules,
    executors,
    handlers: {
      ...pipelineHandlers(rules, environments, life),
      ...updateHandlers(updates, rules, life, readCode),
    },
    prepare: rules.installOld,
    start: releaseTables,
    tick: async () => releaseTables(),
    close: () => background.settled(1_000),
  };
}
