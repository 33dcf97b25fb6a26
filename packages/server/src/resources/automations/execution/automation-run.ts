import type { AutomationDefinition, AutomationTask, Job, Release, Run } from "@lakehelm/contract";
import { createSemaphore } from "../../../core/concurrency/semaphore.ts";
import type { Dependencies } from "../../../core/dependencies.ts";
import { subjectId } from "../../../core/subjects.ts";
import { Stopped } from "../../../runtime/jobs/attempt-outcome.ts";
import type { Executor, RunControl } from "../../../runtime/jobs/executor.ts";
import type { EnvironmentContext } from "../../../runtime/platforms/environment-context.ts";
import type { Environments } from "../../environments/environments.ts";
import type { SecretStore } from "../../secrets/secret-store.ts";
import type { Automations } from "../automations.ts";
import { cancelRun } from "./child-run.ts";
import { judge } from "./condition.ts";
import { redactionOf } from "./definition-redaction.ts";
import { rootsOf, unhandled } from "./readiness.ts";
import { tryTask } from "./task-attempts.ts";
import { createTaskBoard, type TaskBoard } from "./task-board.ts";
import { type RunParts, type TaskParts, workOf } from "./task-execution.ts";
import { runTasks } from "./task-loop.ts";
import { isOver, keptIn } from "./task-state.ts";
import { createTemplateFill } from "./template-fill.ts";
import { templateValues } from "./values.ts";

export interface AutomationExecutorOptions extends Omit<TaskParts, "turns" | "random"> {
  readonly automations: Pick<Automations, "currentRelease" | "designOf">;
  readonly environments: Pick<Environments, "actIn">;
  readonly secrets: Pick<SecretStore, "resolve">;
}

/** Executes automations: tasks run in dependency order, independent ones concurrently. */
export function createAutomationExecutor(
  { system, settings }: Pick<Dependencies, "system" | "settings">,
  rooms: AutomationExecutorOptions,
): Required<Pick<Executor, "execute">> & { abandon(run: Run): Promise<void> } {
  const { automations, environments, secrets } = rooms;
  const taskParts: TaskParts = {
    ...rooms,
    turns: createSemaphore(settings.PLATFORM_RUNS_AT_ONCE),
    random: () => system.randomBytes(4).readUInt32LE() / 2 ** 32,
  };

  /** A started run keeps its design, even if another release becomes current. */
  async function designOf(run: Run, job: Pick<Job, "subject"> & { readonly environmentId: string }) {
    const automationId = subjectId("automation", job.subject);
    const begun = keptIn(run)?.release_id;
    const current = await automations.currentRelease(automationId, job.environmentId);
    const releaseId = begun ?? current?.id;
    const definition = releaseId === undefined ? null : await automations.designOf(releaseId);
    if (releaseId === undefined || !definition) {
      throw new Error(
        begun === undefined
          ? "There is no release in this environment that could be run."
          : "The release that this run began with is gone.",
      );
    }
    return { releaseId, definition, version: versionOf(current?.doc, releaseId, run) };
  }

  /** Performs one task of a run, from its condition to its end. */
  function performing(
    run: Run,
    env: EnvironmentContext,
    definition: AutomationDefinition,
    board: TaskBoard,
    working: RunControl,
  ) {
    const hiding = redactionOf(definition);
    const line: RunControl["line"] = (level, text) => working.line(level, hiding.text(text));
    const runParts: RunParts = {
      run,
      env,
      line,
      fill: createTemplateFill(env.environment.id, secrets, system, hiding),
      hiding,
      values: () => templateValues(definition, run, env.environment, board.all()),
    };
    return async (task: AutomationTask): Promise<void> => {
      if (!(await meetsCondition(task, board, runParts))) return;
      await tryTask(
        task,
        { board, system, working: { ...working, line } },
        workOf(taskParts, runParts, task),
      );
    };
  }

  /** Evaluated once, before the first attempt. */
  async function meetsCondition(task: AutomationTask, board: TaskBoard, { line, values, hiding }: RunParts) {
    const { name, condition } = task;
    if (!condition || board.of(name).attempt > 0) return true;
    const judgement = judge(condition, values());
    if (judgement === "holds") return true;
    const sentence = hiding.text(judgement.sentence);
    const ended_at = system.now().toISOString();
    if (judgement.judged) {
      line("info", `Task "${name}" is skipped: ${sentence}`);
      await board.set(name, { status: "skipped", reason: "condition", ended_at });
    } else {
      line("error", `Task "${name}" failed: ${sentence}`);
      await board.set(name, { status: "failed", ended_at, error: sentence });
    }
    return false;
  }

  return {
    async execute(run, job, working) {
      const { definition, releaseId, version } = await designOf(run, job);
      const { tasks } = definition;
      const place = await environments.actIn(job.environmentId);
      const about = { release_id: releaseId, version };
      const board = createTaskBoard(tasks, about, keptIn(run)?.tasks ?? [], working.keep);
      try {
        const perform = performing(run, place, definition, board, working);
        await runTasks({ tasks, board, system, working }, perform);
      } catch (error) {
        if (endsForGood(working.signal)) await cancelRest(board, system.now().toISOString());
        throw error;
      }
      const failed = unhandled(tasks, board.of);
      if (failed.length > 0) throw new Error(failureOf(failed, tasks, board));
      return { metrics: board.metrics() };
    },
    /** Ends what the tasks had started. */
    async abandon(run) {
      for (const { status, run_id } of keptIn(run)?.tasks ?? []) {
        if (status === "running" && run_id !== null) await cancelRun(rooms.jobs, run_id, rooms.context());
      }
    },
  };
}

const versionOf = (current: Release | undefined, releaseId: string, { metrics }: Run): unknown =>
  current?.id === releaseId ? current.version : (metrics.version ?? null);

const endsForGood = ({ reason, aborted }: AbortSignal): boolean =>
  aborted && reason instanceof Stopped && (reason.reason === "cancelled" || reason.reason === "timeout");

async function cancelRest(board: TaskBoard, ended_at: string): Promise<void> {
  const rest = board.all().filter((state) => !isOver(state));
  await Promise.all(rest.map(({ name }) => board.set(name, { status: "cancelled", ended_at })));
}

function failureOf(failed: readonly string[], tasks: readonly AutomationTask[], board: TaskBoard): string {
  const roots = rootsOf(failed, tasks, board.of);
  return roots.map((name) => `Task "${name}" failed: ${board.of(name).error}`).join(" ");
}
