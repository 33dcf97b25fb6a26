import type { Logger } from "pino";
import { singleFlight } from "../../core/concurrency/single-flight.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict } from "../../core/errors.ts";
import type { ChangeContext, Step } from "../../core/store/store.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import { waitForRun } from "../../runtime/jobs/wait-for-run.ts";
import type { Warehouses } from "../../runtime/platforms/embedded/warehouses.ts";
import { jobIdOf } from "./life.ts";

/**
 * The tables of a deleted pipeline stay, as nobody's: the warehouse is told so after the change that deletes it. A mark of
 * that change is there until it is done, also after a crash.
 */
export interface Freeing {
  /** For the change that deletes a pipeline. */
  mark(pipelineId: string, environmentId: string): Step;
  /** For the change that makes a pipeline: 409 while the tables of an earlier one with this id are not free. */
  unmarked(pipelineId: string): Step;
  /** After the deletion: waits a while for an update that is being stopped. What cannot be done now is done later. */
  free(pipelineId: string): Promise<void>;
  /** All that is left to do, on the server that holds the data folder. */
  freeAll(): Promise<void>;
}

interface Using {
  readonly jobs: Pick<Jobs, "rules" | "log">;
  readonly warehouses: Pick<Warehouses, "freeTables">;
  readonly log: Pick<Logger, "warn">;
}

const markKind = "pipeline.free";
const prefix = "pipeline/";
/** A cancelled run is noticed within a second; the engine then ends its statement. */
const stoppingMs = 5_000;

export function createFreeing({ store, system }: Dependencies, { jobs, warehouses, log }: Using): Freeing {
  // No environment_id: an environment can be deleted meanwhile, and then there is nothing to free.
  const insert = store.prepare((db, v: { id: string; subject: string; data: string }) =>
    db
      .insertInto("intents")
      .values({ id: v.id, environment_id: null, kind: markKind, subject: v.subject, data: v.data }),
  );
  const marks = store.prepare((db, _: Record<string, never>) =>
    db.selectFrom("intents").select(["id", "subject", "data"]).where("kind", "=", markKind).orderBy("id"),
  );
  const unmark = store.prepare((db, v: { id: string }) => db.deleteFrom("intents").where("id", "=", v.id));
  const ofSubject = store.prepare((db, v: { subject: string }) =>
    db.deleteFrom("intents").where("kind", "=", markKind).where("subject", "=", v.subject),
  );
  const running = async (pipelineId: string) =>
    (await jobs.rules.page({ job: jobIdOf(pipelineId), status: "running" }, undefined, 10)).runs;

  /** An update that goes on would make tables its own again. */
  async function freeOne(pipelineId: string, environmentId: string, done: Step): Promise<void> {
    if ((await running(pipelineId)).length > 0) return;
    await warehouses.freeTables(environmentId, pipelineId);
    const context: ChangeContext = { actor: "lakehelm", requestId: null, time: system.now().toISOString() };
    await store.apply({ context, steps: [done], events: [] });
  }

  /** In turn: whoever frees tables twice might free those of a new pipeline with the same id. */
  const freeAll = singleFlight(async () => {
    for (const { id, subject, data } of await store.all(marks({}))) {
      const pipeline = subject.slice(prefix.length);
      const { environment_id } = JSON.parse(data) as { environment_id: string };
      await freeOne(pipeline, environment_id, unmark({ id })).catch((error: Error) =>
        log.warn({ err: error, pipeline }, "the tables of a deleted pipeline are freed later"),
      );
    }
  });

  return {
    mark: (pipelineId, environmentId) =>
      insert({
        id: system.newId(),
        subject: prefix + pipelineId,
        data: JSON.stringify({ environment_id: environmentId }),
      }),
    unmarked: (pipelineId) => ({
      ...ofSubject({ subject: prefix + pipelineId }),
      expect: 0,
      refused: {
        missed: () =>
          conflict(
            `The tables of the deleted pipeline ${pipelineId} are not free yet. Try again in a moment, or with another id.`,
          ),
      },
    }),
    async free(pipelineId) {
      const signal = AbortSignal.timeout(stoppingMs);
      for (const { id } of await running(pipelineId)) {
        await waitForRun(jobs.log, () => jobs.rules.find(id), id, signal).catch((error) => {
          if (error !== signal.reason) throw error;
        });
      }
      await freeAll();
    },
    freeAll,
  };
}
