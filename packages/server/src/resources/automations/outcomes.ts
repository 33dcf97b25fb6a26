import { type Release, ScheduleOverride } from "@lakehelm/contract";
import { model, string } from "@lakehelm/contract/schema";
import type { Stored } from "../../core/store/collection.ts";
import type { ChangeContext, DomainEvent, Step } from "../../core/store/store.ts";
import type { PlatformOutcome } from "../../runtime/platforms/platform.ts";
import type { PlatformJobRequest } from "../../runtime/platforms/platform-request.ts";
import type { RecordOutcome, RecordWaiting } from "../../runtime/platforms/platform-requests.ts";
import type { DeploymentRecorder } from "./deployment-recorder.ts";
import type { Overrides } from "./overrides.ts";
import type { ReleaseDesigns } from "./release-designs.ts";
import { removalOf } from "./release-removal.ts";
import { type JobState, type Releases, releaseEvent, withInstall, withoutReason } from "./releases.ts";

/** The fields of every outbox entry about an automation's job; entries that pause or resume also name the pause. */
const JobIntentData = model("JobIntentData", {
  release_id: string(),
  override: ScheduleOverride.nullable().optional(),
  /** The pause that this one replaces. */
  former: ScheduleOverride.nullable().optional(),
});

interface OutcomeChange {
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
  reconcile?(context: ChangeContext): Promise<void>;
}

/** Records the outcomes of requests to remote platforms about an automation's job, also after a restart. */
export function createOutcomeRecorder(deps: {
  readonly deployments: DeploymentRecorder;
  readonly releases: Releases;
  readonly designs: ReleaseDesigns;
  readonly overrides: Overrides;
}): RecordOutcome<"automation"> {
  const { releases, overrides } = deps;

  function installed(
    release: Stored<Release>,
    automationId: string,
    outcome: PlatformOutcome,
  ): OutcomeChange {
    const next = withInstall(release.doc, outcome);
    const kind = outcome.done ? "automation.job_installed" : "automation.job_refused";
    return {
      steps: releases.rows.update(release, next),
      events: [releaseEvent(kind, automationId, next.doc, { asked: "job.install", ...reasonOf(outcome) })],
    };
  }

  function removed(release: Stored<Release>, automationId: string, outcome: PlatformOutcome): OutcomeChange {
    if (outcome.done) {
      const { steps, event, reconcile } = removalOf(release, deps);
      return { steps, events: [event], reconcile };
    }
    const state: JobState = release.doc.workflow_id === null ? "refused" : "installed";
    const doc = withoutReason(release.doc);
    const more = { asked: "job.remove", ...reasonOf(outcome) };
    return {
      steps: releases.rows.update(release, { doc, state }),
      events: [releaseEvent("automation.job_refused", automationId, doc, more)],
    };
  }

  /** If the platform refused to pause or resume, restores the previous override. */
  async function scheduled(
    { kind, environmentId }: PlatformJobRequest,
    release: Stored<Release>,
    automationId: string,
    { requested, former }: { readonly requested: ScheduleOverride; readonly former: ScheduleOverride | null },
    outcome: PlatformOutcome,
  ): Promise<OutcomeChange> {
    const current = await overrides.get(environmentId, automationId);
    const isPause = kind === "job.pause";
    const isOutdated = isPause ? current?.at !== requested.at : current !== undefined;
    if (outcome.done || isOutdated) return { steps: [], events: [] };
    const restore = !isPause
      ? overrides.put(environmentId, automationId, requested)
      : former
        ? overrides.replace(environmentId, automationId, former)
        : overrides.remove(environmentId, automationId);
    return {
      steps: [...releases.rows.update(release, { doc: release.doc }), restore],
      events: [
        releaseEvent("automation.job_refused", automationId, release.doc, {
          asked: kind,
          ...reasonOf(outcome),
        }),
      ],
    };
  }

  async function changeOf(request: PlatformJobRequest, outcome: PlatformOutcome): Promise<OutcomeChange> {
    const about = JobIntentData.check(request.data, [], []);
    const release = await releases.rows.get(about.release_id);
    // The release was replaced or deleted since: the outcome for its job no longer matters.
    if (!release) return { steps: [], events: [] };
    const automationId = release.owner ?? "";
    if (request.kind === "job.install") return installed(release, automationId, outcome);
    if (request.kind === "job.remove") return removed(release, automationId, outcome);
    if (!about.override) return { steps: [], events: [] };
    const pauses = { requested: about.override, former: about.former ?? null };
    return scheduled(request, release, automationId, pauses, outcome);
  }

  return async (request, outcome, context) => {
    const { steps, events, reconcile } = await changeOf(request, outcome);
    return { steps, events, committed: () => reconcile?.(context) };
  };
}

/** Records why the job of a release could not be installed or removed yet. */
export const createWaitingRecorder =
  ({ rows }: Pick<Releases, "rows">): RecordWaiting<"automation"> =>
  async ({ kind, data }, reason) => {
    if (kind !== "job.install" && kind !== "job.remove") return undefined;
    const before = await rows.get(JobIntentData.check(data, [], []).release_id);
    if (!before || before.doc.error_message === reason) return undefined;
    const doc = { ...before.doc, error_message: reason };
    const more = { asked: kind, error_message: reason };
    return {
      steps: rows.update(before, { doc }),
      events: [releaseEvent("automation.job_waiting", before.owner, doc, more)],
    };
  };

const reasonOf = (outcome: PlatformOutcome) => (outcome.done ? {} : { reason: outcome.reason });
