import { conflict } from "../../core/errors.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import { completed, Deferred, handlerOf, type OutboxHandlers, topic } from "../../core/outbox/topic.ts";
import type { Step } from "../../core/store/store.ts";
import type { System } from "../../core/system.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import { waitForRun } from "../../runtime/jobs/wait-for-run.ts";
import type { EnvironmentWarehouses } from "../../runtime/platforms/embedded/warehouses.ts";
import { jobIdOf } from "./pipeline-status.ts";

/**
 * The tables of a deleted pipeline are kept, without an owner. The warehouse releases them after the transaction that
 * deletes the pipeline; an outbox entry remains until they are released, also after a crash.
 */
export interface TableRelease {
  /** For the transaction that deletes a pipeline. `finish` waits a while for an update that is being stopped. */
  begin(pipelineId: string, environmentId: string): { readonly step: Step; finish(): Promise<void> };
  /** For the transaction that creates a pipeline: 409 until the tables of an earlier one with this id are released. */
  requireReleased(pipelineId: string): Step;
  readonly outbox: OutboxHandlers;
}

interface TableReleaseOptions {
  readonly jobs: Pick<Jobs, "rules" | "log">;
  readonly warehouses: Pick<EnvironmentWarehouses, "releaseTables">;
  readonly outbox: Pick<Outbox, "begin" | "remove">;
  readonly holdsDataFolder: () => boolean;
}

const releaseTopic = topic<{ readonly environment_id: string; readonly pipeline_id: string }>(
  "pipeline.free",
);
const tablesKey = (pipelineId: string) => `tables/${pipelineId}`;
/** A worker notices a cancelled run within a second; the engine then ends its statement. */
const stopTimeoutMs = 5_000;

export function createTableRelease(
  system: Pick<System, "newId">,
  { jobs, warehouses, outbox, holdsDataFolder }: TableReleaseOptions,
): TableRelease {
  const runningUpdates = async (pipelineId: string) =>
    (await jobs.rules.page({ job: jobIdOf(pipelineId), status: "running" }, { limit: 10 })).runs;

  async function waitForUpdates(pipelineId: string): Promise<void> {
    const signal = AbortSignal.timeout(stopTimeoutMs);
    for (const { id } of await runningUpdates(pipelineId)) {
      await waitForRun(jobs.log, () => jobs.rules.find(id), id, signal).catch((error) => {
        if (error !== signal.reason) throw error;
      });
    }
  }

  return {
    begin(pipelineId, environmentId) {
      const { step, finish } = outbox.begin(releaseTopic, {
        id: system.newId(),
        key: tablesKey(pipelineId),
        environmentId,
        payload: { environment_id: environmentId, pipeline_id: pipelineId },
      });
      // On failure the outbox logs the error and retries later.
      return { step, finish: () => finish().catch(() => {}) };
    },
    requireReleased: (pipelineId) => ({
      ...outbox.remove(releaseTopic, tablesKey(pipelineId)),
      expect: 0,
      refused: {
        missed: () =>
          conflict(
            `The tables of the deleted pipeline ${pipelineId} are still being released. Try again in a moment, or use another id.`,
          ),
      },
    }),
    outbox: handlerOf(releaseTopic, {
      isLocal: true,
      readiness: () => (holdsDataFolder() ? "here" : "elsewhere"),
      async perform({ payload: { environment_id, pipeline_id: pipelineId } }) {
        await waitForUpdates(pipelineId);
        // A running update would take ownership of the tables again.
        if ((await runningUpdates(pipelineId)).length > 0) {
          throw new Deferred(new Error(`An update of the deleted pipeline ${pipelineId} is still running.`));
        }
        await warehouses.releaseTables(environment_id, pipelineId);
        return completed(undefined);
      },
    }),
  };
}
