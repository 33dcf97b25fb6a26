import type { Job } from "@lakehelm/contract";
import { api } from "../app/client.ts";

type Change = () => Promise<unknown>;

/** The actions of a user on a job, by the job's kind. */
interface JobActions {
  readonly run: () => Promise<{ readonly id: string }>;
  /** Undefined: the job is already paused, or never runs by itself. */
  readonly pause: Change | undefined;
  /** Undefined: the job is not paused. */
  readonly resume: Change | undefined;
}

export function actionsOf(job: Job): JobActions {
  const [pause, resume] = pausing(job);
  const runsByItself = job.definition.trigger.kind !== "manual";
  return {
    run: () =>
      api.runJob({
        params: { job_id: job.id },
        body: { reason: "from the console" },
        idempotencyKey: crypto.randomUUID(),
      }),
    pause: job.paused === null && runsByItself ? pause : undefined,
    resume: job.paused === null ? undefined : resume,
  };
}

function pausing({ kind, subject, name, environment_id: environment }: Job): readonly [Change, Change] {
  const id = subject.slice(subject.indexOf("/") + 1);
  switch (kind) {
    case "connector":
      return [
        () => api.pauseConnector({ params: { connector_id: id }, body: {} }),
        () => api.resumeConnector({ params: { connector_id: id } }),
      ];
    case "flow":
      return [
        () => api.pauseFlow({ params: { flow_id: id }, body: {} }),
        () => api.resumeFlow({ params: { flow_id: id } }),
      ];
    // A pipeline is paused by stopping it; starting an update ends the pause.
    case "pipeline":
      return [
        () => api.stopPipeline({ params: { pipeline_id: id }, body: { reason: "from the console" } }),
        () =>
          api.startPipelineUpdate({
            params: { pipeline_id: id },
            body: {},
            idempotencyKey: crypto.randomUUID(),
          }),
      ];
    case "automation":
      return [
        () => api.setSchedule({ params: { automation_alias: name, action: "pause" }, environment, body: {} }),
        () => api.setSchedule({ params: { automation_alias: name, action: "resume" }, environment }),
      ];
  }
}
