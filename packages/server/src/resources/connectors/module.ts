import type { Engine } from "@lakehelm/engine";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict } from "../../core/errors.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import { subjectId } from "../../core/store/store.ts";
import { workerContext } from "../../core/system.ts";
import { timeoutErrorOf } from "../../runtime/jobs/attempt-outcome.ts";
import type { Executors } from "../../runtime/jobs/executors.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import type { PlatformRequests } from "../../runtime/platforms/platform-requests.ts";
import type { Environments } from "../environments/environments.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import { runConnector } from "./connector-run.ts";
import { createConnectors } from "./connectors.ts";
import { createLogRemoval } from "./log-removal.ts";
import { operationHandlers } from "./operation-routes.ts";
import { createConnectorOperations } from "./operations.ts";
import { connectorHandlers } from "./routes.ts";
import { readParameters } from "./run-parameters.ts";
import { createWatermarkRecord } from "./watermark-record.ts";

/** The timeout for listing the objects of a source; the next poll tries again. */
const arrivalsMs = 60_000;

interface ConnectorsOptions {
  readonly platformRequests: PlatformRequests;
  readonly environments: Environments;
  readonly secrets: SecretStore;
  readonly jobs: Pick<Jobs, "rows" | "rules">;
  readonly engine: Pick<Engine, "request">;
  readonly outbox: Pick<Outbox, "begin">;
  readonly holdsDataFolder: () => boolean;
  readonly stopwatch: () => number;
}

export function connectorsModule(deps: Dependencies, options: ConnectorsOptions) {
  const { platformRequests, environments, secrets, jobs, engine, outbox, holdsDataFolder, stopwatch } =
    options;
  const rules = createConnectors(
    deps,
    platformRequests,
    environments,
    async (jobId) => (await jobs.rows.find(jobId)) !== undefined,
    () => logRemoval,
  );
  const operations = createConnectorOperations(
    rules,
    environments,
    secrets,
    async (jobId, request, cause) => {
      const job = await jobs.rows.find(jobId);
      if (!job) throw conflict(`Job ${jobId} no longer exists.`);
      return jobs.rules.runNow(job, cause, request);
    },
  );
  const logRemoval = createLogRemoval(deps.system, {
    outbox,
    holdsDataFolder,
    endLog: operations.endLog,
  });
  const watermarks = createWatermarkRecord(deps);
  const executors: Executors = {
    connector: {
      async checkParameters({ subject }, parameters) {
        const { doc } = await rules.withSecrets(subjectId("connector", subject));
        readParameters(doc, parameters);
      },
      execute: async (
        { id, cause, attempt },
        { subject, definition },
        { signal, line, progress, lineage },
      ) => ({
        metrics: await runConnector(
          { operations, watermarks, engine, clock: stopwatch },
          {
            connectorId: subjectId("connector", subject),
            runId: id,
            cause,
            context: () => workerContext(deps.system),
            isLastAttempt: attempt >= definition.attempts,
            timeoutError: () => timeoutErrorOf(signal, definition),
            signal,
            line,
            progress,
            lineage,
          },
        ),
      }),
    },
  };
  return {
    rules,
    /** Records the end of a run on a remote platform, which reports no watermarks. */
    runEnded: (connectorId: string, error: string | null) =>
      watermarks.record(connectorId, [], error, workerContext(deps.system)),
    executors,
    outbox: {
      ...platformRequests.handler("connector", rules.recordOutcome, rules.recordWaiting),
      ...logRemoval.outbox,
    },
    maskStored: rules.maskStored,
    installMissing: rules.installMissing,
    async arrivals(subject: string, path: string) {
      const signal = AbortSignal.timeout(arrivalsMs);
      const files = await operations.arrivals(subjectId("connector", subject), path, signal);
      return files.map((file) => ({ ...file, modifiedMs: 0 }));
    },
    handlers: { ...connectorHandlers(rules, environments), ...operationHandlers(operations) },
    tick: rules.endPauses,
  };
}
