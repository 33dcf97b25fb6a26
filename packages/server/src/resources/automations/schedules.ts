import type { Automation, Release, ScheduleOverride, ScheduleState } from "@lakehelm/contract";
import { automationReleaseCommand } from "@lakehelm/contract/changes";
import type { Dependencies } from "../../core/dependencies.ts";
import { conflict, Problem } from "../../core/errors.ts";
import type { Stored } from "../../core/store/collection.ts";
import { type ChangeContext, type DomainEvent, type Step, subjectId } from "../../core/store/store.ts";
import { hasPauseSettings, readPause } from "../../runtime/jobs/pause-request.ts";
import type { PauseEnded } from "../../runtime/jobs/scheduler.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { Environments } from "../environments/environments.ts";
import { type JobRequest, type JobRequests, noJobRequest } from "./job-requests.ts";
import { noReleaseText } from "./no-release.ts";
import type { Overrides } from "./overrides.ts";
import type { Registry } from "./registry.ts";
import type { ReleaseDesigns } from "./release-designs.ts";
import { type Releases, releaseEvent } from "./releases.ts";

type ScheduleAction = "pause" | "resume";

/** Why the trigger of a job cannot work; null: no known problem. */
export type JobProblem = (jobId: string) => Promise<string | null>;

export interface Schedules {
  /** #20. `environment`: id or name; absent: every active environment with a current release. */
  set(
    alias: string,
    action: ScheduleAction,
    body: unknown,
    environment: string | undefined,
    context: ChangeContext,
  ): Promise<{
    readonly message: string;
    readonly schedules: ScheduleState[];
  }>;
  ofAutomation(releases: readonly Stored<Release>[]): Promise<ScheduleState[]>;
  /** Steps for the transaction in which the job scheduler ends a pause. */
  readonly pauseEnded: PauseEnded;
  /** Resumes schedules whose pause has expired. Returns their number. */
  endPauses(context: ChangeContext): Promise<number>;
}

/** A release whose schedule is to be paused or resumed. */
interface ScheduleTarget {
  readonly env: EnvironmentContext;
  readonly release: Stored<Release>;
}

/** The pause to begin or to end, and the existing one. */
interface PauseChange {
  readonly pause: ScheduleOverride;
  readonly former: ScheduleOverride | undefined;
}

interface RequestedPause {
  readonly target: ScheduleTarget;
  readonly job: JobRequest;
}

export function createSchedules(
  { store, system }: Dependencies,
  rules: {
    readonly environments: Environments;
    readonly registry: Registry;
    readonly releases: Releases;
    readonly designs: ReleaseDesigns;
    readonly overrides: Overrides;
    readonly jobs: JobRequests;
    readonly problemOf: JobProblem;
  },
): Schedules {
  const { environments, registry, releases, designs, overrides, jobs, problemOf } = rules;

  async function targetsOf({ id, doc }: Stored<Automation>, environment?: string): Promise<ScheduleTarget[]> {
    if (environment !== undefined) {
      const env = await environments.actIn(environment);
      const release = await releases.current(id, env.environment.id);
      if (release) return [{ env, release }];
      throw conflict(noReleaseText(doc.alias, env.environment.name));
    }
    const targets: ScheduleTarget[] = [];
    for (const release of await releases.ofAutomation(id)) {
      // A deactivated environment must not prevent the others from being paused.
      const { doc: environmentDoc } = await environments.read(release.doc.environment_id);
      if (environmentDoc.isActive) {
        targets.push({ env: await environments.actIn(environmentDoc.id), release });
      }
    }
    if (targets.length === 0)
      throw conflict(
        `${doc.alias} has no current release in any active environment. To release it in the default one: ${automationReleaseCommand(doc.alias)}`,
      );
    return targets;
  }

  /** The steps and events for one environment. */
  function change(
    { env, release }: ScheduleTarget,
    action: ScheduleAction,
    { pause, former }: PauseChange,
    alias: string,
  ): { readonly job: JobRequest; readonly steps: Step[]; readonly event: DomainEvent } {
    const { id: environmentId } = env.environment;
    const automationId = release.owner ?? "";
    const isPause = action === "pause";
    const about = {
      release_id: release.id,
      alias,
      override: pause,
      ...(isPause && { pause, former: former ?? null }),
    };
    const job =
      release.state === "none" ? noJobRequest : jobs.request(`job.${action}`, env, automationId, about);
    if (job.outcome?.done === false) throw refused(alias, action, env, job.outcome.reason);
    const { reason, until } = pause;
    return {
      job,
      steps: [
        // Updates the release too, so that a concurrent activation conflicts instead of installing an unpaused job.
        ...releases.rows.update(release, { doc: release.doc }),
        isPause
          ? overrides[former ? "replace" : "put"](environmentId, automationId, pause)
          : overrides.remove(environmentId, automationId),
        ...job.steps,
      ],
      event: releaseEvent(
        isPause ? "automation.schedule_paused" : "automation.schedule_resumed",
        automationId,
        release.doc,
        isPause ? { reason, until } : {},
      ),
    };
  }

  async function apply(
    alias: string,
    action: ScheduleAction,
    pause: ScheduleOverride,
    environment: string | undefined,
    context: ChangeContext,
    /** Whether to end an existing override, or replace it with the pause. */
    applies: (override: ScheduleOverride) => boolean,
  ): Promise<{ targets: ScheduleTarget[]; requested: RequestedPause[] }> {
    const targets = await targetsOf(await registry.read(alias), environment);
    const steps: Step[] = [];
    const events: DomainEvent[] = [];
    const requested: RequestedPause[] = [];
    for (const target of targets) {
      const { env, release } = target;
      const override = await overrides.get(env.environment.id, release.owner ?? "");
      if (override ? !applies(override) : action === "resume") continue;
      const affected = action === "resume" && override ? override : pause;
      const next = change(target, action, { pause: affected, former: override }, alias);
      steps.push(...next.steps);
      events.push(next.event);
      requested.push({ target, job: next.job });
    }
    if (steps.length > 0) await store.apply({ context, steps, events });
    return { targets, requested };
  }

  async function finish(
    alias: string,
    action: ScheduleAction,
    requested: readonly RequestedPause[],
  ): Promise<void> {
    const refusals: Problem[] = [];
    for (const { target, job } of requested) {
      const outcome = await job.finish();
      if (outcome?.done === false) refusals.push(refused(alias, action, target.env, outcome.reason));
    }
    const [first] = refusals;
    if (first) throw first;
  }

  async function scheduleOf({ id, owner, doc }: Stored<Release>): Promise<ScheduleState> {
    const { environment_id, environment } = doc;
    const override = (await overrides.get(environment_id, owner ?? "")) ?? null;
    const { schedule = null, trigger = null } = (await designs.of(id)) ?? {};
    const state = !schedule && !trigger ? "unscheduled" : override ? "paused" : "active";
    const problem = doc.workflow_id === null ? null : await problemOf(doc.workflow_id);
    return { environment_id, environment, schedule, trigger, state, override, problem };
  }

  const schedulesOf = (found: readonly Stored<Release>[]) => Promise.all(found.map(scheduleOf));

  return {
    async set(alias, action, body, environment, context) {
      const pause = readPause(body, context);
      const isAnother = (existing: ScheduleOverride) =>
        hasPauseSettings(body) && !isSamePause(existing, pause);
      const applies = action === "pause" ? isAnother : () => true;
      const { targets, requested } = await store.retryOnConflict(() =>
        apply(alias, action, pause, environment, context, applies),
      );
      await finish(alias, action, requested);
      const named = targets.map(({ env, release }) => ({
        ...release,
        doc: { ...release.doc, environment: env.environment.name },
      }));
      const where = named.map(({ doc }) => doc.environment).join(", ");
      const message = `${alias} is ${action === "pause" ? "paused" : "resumed"} in ${where}.`;
      return { message, schedules: await schedulesOf(named) };
    },
    ofAutomation: schedulesOf,
    async pauseEnded({ subject, environmentId }) {
      const automationId = subjectId("automation", subject);
      const release = await releases.current(automationId, environmentId);
      return {
        steps: [overrides.clear(environmentId, automationId)],
        events: release ? [releaseEvent("automation.schedule_resumed", automationId, release.doc)] : [],
      };
    },
    async endPauses(context) {
      const now = system.now().toISOString();
      const isDue = ({ until }: ScheduleOverride) => until !== null && until <= now;
      let ended = 0;
      for (const { environmentId, automationId, override } of await overrides.all()) {
        const automation = isDue(override) && (await registry.get(automationId));
        if (!automation) continue;
        const { alias } = automation.doc;
        try {
          const { requested } = await store.retryOnConflict(() =>
            apply(alias, "resume", override, environmentId, context, isDue),
          );
          await finish(alias, "resume", requested);
          ended += requested.length;
        } catch (error) {
          // The schedule cannot be resumed now, for example in an inactive environment: it stays paused and is tried
          // again.
          if (!(error instanceof Problem)) throw error;
        }
      }
      return ended;
    },
  };
}

const isSamePause = (a: ScheduleOverride, b: ScheduleOverride) =>
  a.by === b.by && a.reason === b.reason && a.until === b.until;

const refused = (
  alias: string,
  action: ScheduleAction,
  { platform, environment }: EnvironmentContext,
  reason: string,
) =>
  conflict(
    `The platform ${platform.name} refused to ${action} ${alias} in ${environment.name}; nothing changed there: ${reason}`,
  );
