import type {
  EndpointQuery,
  endpoints,
  PipelineEvent,
  PipelineUpdate,
  Run,
  StartUpdateRequest,
} from "@lakehelm/contract";
import { decodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, notFound, Problem, unreadable } from "../../core/errors.ts";
import { textOf } from "../../core/store/collection.ts";
import type { CreateRequest } from "../../core/store/requests.ts";
import type { ChangeContext, DomainEvent } from "../../core/store/store.ts";
import type { StoredJob } from "../../runtime/jobs/job-rows.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import { hasEnded } from "../../runtime/jobs/run-stream.ts";
import { runFilters } from "../../runtime/jobs/runs.ts";
import type { Environments } from "../environments/environments.ts";
import type { PipelineDocument } from "./document.ts";
import { jobIdOf } from "./pipeline-status.ts";
import type { Pipelines } from "./pipelines.ts";
import { metricsIn, statusesOf, updateOf } from "./update.ts";
import { eventsOf } from "./update-events.ts";
import { parametersOf } from "./update-request.ts";

/** User operations on the updates of a pipeline. Each update is a run of the pipeline's job. */
export interface Updates {
  start(id: string, body: StartUpdateRequest, call: CreateRequest): Promise<PipelineUpdate>;
  read(id: string, updateId: string): Promise<PipelineUpdate>;
  page(
    id: string,
    query: EndpointQuery<typeof endpoints.listPipelineUpdates>,
  ): Promise<{ updates: PipelineUpdate[]; next_before: string | null; next_cursor: string | null }>;
  /** Cancels the updates of a pipeline; a continuous pipeline stays stopped until an update is started. */
  stop(id: string, reason: string | null, context: ChangeContext): Promise<void>;
  /** Events, oldest first, after the event `after`; only of one update if it is named. */
  events(
    id: string,
    filter: {
      readonly after?: string | undefined;
      readonly update_id?: string | undefined;
      readonly limit: number;
    },
  ): Promise<{ events: PipelineEvent[]; next_after: string | null }>;
}

export function createUpdates(
  { store }: Dependencies,
  pipelines: Pick<Pipelines, "read">,
  environments: Pick<Environments, "actIn">,
  { rows, rules, steps, history }: Pick<Jobs, "rows" | "rules" | "steps" | "history">,
): Updates {
  async function jobOf(pipeline: PipelineDocument): Promise<StoredJob> {
    const job = await rows.get(jobIdOf(pipeline.pipeline_id));
    if (job) return job;
    throw conflict(
      pipeline.error_message ??
        `The pipeline "${pipeline.name}" has no job on this server, because its platform runs it.`,
    );
  }

  const eventOf = (
    kind: string,
    { pipeline_id, name }: PipelineDocument,
    reason: string | null,
  ): DomainEvent => ({
    kind,
    subject: `pipeline/${pipeline_id}`,
    data: { name, reason },
  });

  /** A deleted pipeline may have had the same id: its runs are excluded. */
  const belongsTo = ({ pipeline_id, created_at }: PipelineDocument, run: Run) =>
    run.job_id === jobIdOf(pipeline_id) && run.queued_at >= created_at;

  async function find(pipeline: PipelineDocument, updateId: string): Promise<Run> {
    const run = await rules.find(updateId);
    if (run && belongsTo(pipeline, run)) return run;
    throw notFound(`The pipeline "${pipeline.name}" has no update ${updateId}.`);
  }

  async function cancelAll(jobId: string, status: Run["status"], context: ChangeContext): Promise<void> {
    const { runs } = await rules.page({ job: jobId, status }, { limit: 1000 });
    for (const { id } of runs) {
      await rules.cancel(id, context).catch((error) => {
        // The run has already ended.
        if (!(error instanceof Problem) || error.kind !== "conflict") throw error;
      });
    }
  }

  /**
   * The runs whose events come next. Stops after an unfinished run: later runs follow once it has ended, so that a
   * reader who continues from there does not miss its end.
   */
  async function* runsFrom(pipeline: PipelineDocument, from: string | undefined): AsyncGenerator<Run> {
    const job = { jobId: jobIdOf(pipeline.pipeline_id), since: pipeline.created_at };
    const first = from === undefined ? undefined : await rules.find(from);
    let page = first && belongsTo(pipeline, first) ? [first] : await history.after(job, from, pageOfRuns);
    while (page.length > 0) {
      for (const run of page) {
        yield run;
        if (!hasEnded(run)) return;
      }
      page = await history.after(job, page.at(-1)?.id, pageOfRuns);
    }
  }

  return {
    async start(id, body, { context, saveAnswer }) {
      const { doc, environmentId } = await pipelines.read(id);
      await environments.actIn(environmentId ?? undefined);
      const job = await jobOf(doc);
      const resumes = job.paused !== null && !body.validate_only;
      const { reason } = body;
      const parameters = parametersOf(body);
      const run = await rules.runNow(
        job,
        { ...(reason !== undefined && { reason }), ...(parameters && { parameters }) },
        {
          context,
          // The response that is stored for the idempotency key is this endpoint's.
          saveAnswer: (text) => saveAnswer(textOf(updateOf(id, runIn(text))), undefined),
          ...(resumes && {
            also: {
              steps: steps.resume(job.id, context).steps,
              events: [eventOf("pipeline.started", doc, reason ?? null)],
            },
          }),
        },
      );
      return updateOf(id, run);
    },
    async read(id, updateId) {
      const { doc } = await pipelines.read(id);
      return updateOf(id, await find(doc, updateId));
    },
    async page(id, query) {
      const { created_at } = (await pipelines.read(id)).doc;
      const { state } = query;
      const filters = runFilters(query);
      const { createdAfter } = filters;
      const filter = {
        ...filters,
        job: jobIdOf(id),
        ...(state !== undefined && { statuses: statusesOf(state) }),
        // Without the runs of a deleted pipeline with this id.
        createdAfter: createdAfter && createdAfter > created_at ? createdAfter : created_at,
      };
      const { runs, ...next } = await rules.page(filter, query);
      return { updates: runs.map((run) => updateOf(id, run)), ...next };
    },
    async stop(id, reason, context) {
      const { doc } = await pipelines.read(id);
      const job = await jobOf(doc);
      // The job is paused first: otherwise, a continuous job would restart the cancelled update.
      if (job.definition.trigger.kind === "live" && job.paused === null) {
        const pause = steps.pause(job.id, { reason, until: null }, context);
        await store.apply({
          context,
          steps: pause.steps,
          events: [eventOf("pipeline.stopped", doc, reason)],
        });
      }
      await cancelAll(job.id, "queued", context);
      await cancelAll(job.id, "running", context);
    },
    async events(id, { after, update_id, limit }) {
      const { doc } = await pipelines.read(id);
      const position = after === undefined ? undefined : positionOf(after);
      const runs = update_id === undefined ? runsFrom(doc, position?.updateId) : [await find(doc, update_id)];
      const events: PipelineEvent[] = [];
      for await (const run of runs) {
        const all = eventsOf(updateOf(id, run), metricsIn(run).again);
        events.push(...(run.id === position?.updateId ? all.slice(position.n + 1) : all));
        if (events.length >= limit) break;
      }
      const page = events.slice(0, limit);
      return { events: page, next_after: page.at(-1)?.id ?? after ?? null };
    },
  };
}

const pageOfRuns = 20;

function positionOf(after: string): { readonly updateId: string; readonly n: number } {
  const [, updateId, n] = /^([^/\0]+)\/(\d{1,9})$/.exec(after) ?? [];
  if (updateId === undefined) throw unreadable("after must be the id of an event.");
  return { updateId, n: Number(n) };
}

function runIn(text: string): Run {
  const read = decodeJson(text);
  if (!("value" in read)) throw new Error("a run is not JSON");
  return read.value as Run;
}
