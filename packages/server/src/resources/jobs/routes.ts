import type { endpoints } from "@lakehelm/contract";
import { firingsOf } from "@lakehelm/schedule";
import { conflict, notFound } from "../../core/errors.ts";
import { isPlain } from "../../core/store/list-request.ts";
import type { StoredJob } from "../../runtime/jobs/job-rows.ts";
import { sentenceOf, triggerProblem } from "../../runtime/jobs/job-steps.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import { hasEnded, streamRun } from "../../runtime/jobs/run-stream.ts";
import { runFilters } from "../../runtime/jobs/runs.ts";
import type { Handlers } from "../../web/http/handler.ts";
import { lastEventId } from "../../web/http/last-event-id.ts";
import type { Environments } from "../environments/environments.ts";

const pausedSentence = ({ by, until }: NonNullable<StoredJob["paused"]>): string =>
  `It was paused by ${by}${until === null ? "" : ` until ${until}`}. Firings during the pause are skipped.`;

type Routes =
  | "listJobs"
  | "getJob"
  | "listFirings"
  | "runJob"
  | "listRunsOfJob"
  | "listRuns"
  | "getRun"
  | "readRunLog"
  | "cancelRun"
  | "retryRun";

export function jobHandlers(
  { rules, rows, views, log, now }: Jobs,
  environments: Pick<Environments, "filter" | "actIn">,
): Handlers<Pick<typeof endpoints, Routes>> {
  async function jobOf(id: string): Promise<StoredJob> {
    const job = await rows.find(id);
    if (!job) throw notFound(`There is no job ${id}.`);
    return job;
  }

  return {
    async listJobs(call) {
      const scope = await environments.filter(call);
      const { kind, name, created_after, created_before, skip, limit } = call.query;
      const filter = { kind, ...scope };
      if (isPlain(call.query)) return { body: await views.page(filter, skip, limit) };
      const times = { createdAfter: created_after, createdBefore: created_before };
      return { body: await views.search({ ...filter, name, ...times }, call.query) };
    },
    async getJob({ params: { job_id } }) {
      const job = await views.get((await rows.find(job_id))?.id ?? job_id);
      if (!job) throw notFound(`There is no job ${job_id}.`);
      return { body: job };
    },
    async listFirings({ params, query }) {
      const { definition, paused } = await jobOf(params.job_id);
      const { trigger } = definition;
      const problem = triggerProblem(trigger, now());
      if (trigger.kind !== "cron" || problem !== undefined) {
        return { body: { firings: [], sentence: problem ?? sentenceOf(trigger) } };
      }
      const firings = firingsOf(trigger.cron, trigger.timezone).next(now().getTime(), query.count);
      return {
        body: {
          firings: firings.map((instant) => new Date(instant).toISOString()),
          sentence: paused ? `${sentenceOf(trigger)} ${pausedSentence(paused)}` : sentenceOf(trigger),
        },
      };
    },
    async runJob(call) {
      const job = await jobOf(call.params.job_id);
      await environments.actIn(job.environmentId);
      return { body: await rules.runNow(job, call.body ?? {}, call) };
    },
    async listRunsOfJob({ params: { job_id }, query }) {
      const known = await rows.find(job_id);
      const job = known?.id ?? job_id;
      // The runs of a job outlive it for a while. A pipeline of another environment may have had the same id before.
      const [last] = known ? [] : (await rules.page({ job }, { limit: 1 })).runs;
      const environmentId = known?.environmentId ?? last?.environment_id;
      const page = await rules.page(
        { job, environmentId, status: query.status, ...runFilters(query) },
        query,
      );
      if (page.runs.length === 0) await jobOf(job_id);
      return { body: page };
    },
    async listRuns(call) {
      const scope = await environments.filter(call);
      const { status, job, name } = call.query;
      const filter = { ...scope, status, job, name, ...runFilters(call.query) };
      return { body: await rules.page(filter, call.query) };
    },
    async getRun({ params: { run_id } }) {
      return { body: await rules.read(run_id) };
    },
    async readRunLog(call) {
      const { run_id } = call.params;
      const run = await rules.read(run_id);
      const { after, limit } = call.query;
      if (call.header("accept")?.includes("text/event-stream")) {
        const from = lastEventId(call.header("last-event-id"), "the number of a line") ?? after;
        const current = () => rules.find(run_id);
        return { messages: streamRun(log, current, run_id, from, call.signal) };
      }
      const { search } = call.query;
      const found = search === undefined ? undefined : await log.search(run_id, after, limit, search);
      const lines = found?.lines ?? (await log.read(run_id, after, limit));
      const next_after = found?.examined ?? lines.at(-1)?.n ?? after;
      const last = await log.last(run_id);
      const left_out = await log.leftOut(run_id, last);
      return { body: { lines, next_after, last, left_out, ended: hasEnded(run) } };
    },
    async cancelRun({ params: { run_id }, context }) {
      return { body: await rules.cancel(run_id, context) };
    },
    async retryRun(call) {
      const run = await rules.read(call.params.run_id);
      const job = await rows.get(run.job_id);
      // A pipeline of another environment may have the same id now: the caller may have no role there.
      if (job?.environmentId !== run.environment_id)
        throw conflict(`The job of run ${run.id} no longer exists.`);
      await environments.actIn(job.environmentId);
      return { body: await rules.retry(run, job, call) };
    },
  };
}
