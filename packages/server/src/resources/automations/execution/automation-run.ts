import type { AutomationDefinition, AutomationTask, Job, Release, Run } from "@lakehelm/contract";
import { createSemaphore } from "../../../core/concurrency/semaphore.ts";
import type { Dependencies } from "../../../core/dependencies.ts";
import { subjectId } from "../../../core/store/store.ts";
import { randomFraction } from "../../../core/system.ts";
import { Stopped } from "../../../runtime/jobs/attempt-outcome.ts";
import type { Executor, RunControl } from "../../../runtime/jobs/executor.ts";
import { runEvent } from "../../../runtime/jobs/queue.ts";
import type { EnvironmentContext } from "../../../runtime/platforms/environment-context.ts";
import type { TaskProcesses } from "../../../runtime/processes/tasks/task-processes.ts";
import type { Environments } from "../../environments/environments.ts";
import type { SecretStore } from "../../secrets/secret-store.ts";
import type { Automations } from "../automations.ts";
import { areProcessTasksOn } from "../process-tasks.ts";
import { cancelRun } from "./child-run.ts";
import { evaluateCondition } from "./condition.ts";
import { redactionOf } from "./definition-redaction.ts";
import { rootsOf, unhandled } from "./readiness.ts";
import { runWithRetries } from "./task-attempts.ts";
import { attemptOf, type TaskDependencies, type TaskRunContext } from "./task-execution.ts";
import { runTasks } from "./task-loop.ts";
import { isOver, storedTasks } from "./task-state.ts";
import { createTaskStates, type TaskStates } from "./task-states.ts";
import { createTemplateFill } from "./template-fill.ts";
import { templateValues } from "./values.ts";

export interface AutomationExecutorOptions
  extends Omit<TaskDependencies, "scriptSlots" | "random" | "processes"> {
  readonly taskProcesses: TaskProcesses;
  readonly automations: Pick<Automations, "currentRelease" | "designOf">;
  readonly environments: Pick<Environments, "actIn">;
  readonly secrets: Pick<SecretStore, "resolve" | "missing">;
}

/** Executes automations: tasks run in dependency order, independent ones concurrently. */
export function createAutomationExecutor(
  { store, system, settings }: Pick<Dependencies, "store" | "system" | "settings">,
  options: AutomationExecutorOptions,
): Required<Pick<Executor, "execute">> & { abandon(run: Run): Promise<void> } {
  const { automations, environments, secrets } = options;
  const taskDeps: TaskDependencies = {
    ...options,
    scriptSlots: createSemaphore(settings.PLATFORM_RUNS_AT_ONCE),
    processes: {
      areOn: areProcessTasksOn(settings),
      python: settings.PLATFORM_PYTHON,
      supervisor: options.taskProcesses,
      slots: createSemaphore(settings.PLATFORM_RUNS_AT_ONCE),
    },
    random: () => randomFraction(system),
  };

  /** A started run keeps its design, even if another release becomes current. */
  async function designOf(run: Run, job: Pick<Job, "subject"> & { readonly environmentId: string }) {
    const automationId = subjectId("automation", job.subject);
    const startedWith = storedTasks(run)?.release_id;
    const current = await automations.currentRelease(automationId, job.environmentId);
    const releaseId = startedWith ?? current?.id;
    const definition = releaseId === undefined ? null : await automations.designOf(releaseId);
    if (releaseId === undefined || !definition) {
      throw new Error(
        startedWith === undefined
          ? "The automation has no release in this environment."
          : "The release that this run started with no longer exists.",
      );
    }
    return { releaseId, definition, version: versionOf(current?.doc, releaseId, run) };
  }

  /** Performs one task of a run, from its condition to its end. */
  function taskRunner(
    run: Run,
    env: EnvironmentContext,
    definition: AutomationDefinition,
    states: TaskStates,
    control: RunControl,
  ) {
    const redaction = redactionOf(definition);
    const line: RunControl["line"] = (level, text) => control.line(level, redaction.text(text));
    const runContext: TaskRunContext = {
      run,
      env,
      line,
      fill: createTemplateFill(env.environment.id, secrets, system, redaction),
      redaction,
      values: () => templateValues(definition, run, env.environment, states.all()),
      states,
      tasks: definition.tasks,
    };
    return async (task: AutomationTask): Promise<void> => {
      if (!(await meetsCondition(task, states, runContext))) return;
      await runWithRetries(
        task,
        {
          states,
          system,
          control: { ...control, line },
          retried: (retry) =>
            store
              .apply({ context: options.context(), steps: [], events: [runEvent(run, "run.retried", retry)] })
              .catch(() => line("warn", "The event about this retry could not be written.")),
        },
        attemptOf(taskDeps, runContext, task),
      );
    };
  }

  /** A condition is evaluated only once, before the first attempt. */
  async function meetsCondition(
    task: AutomationTask,
    states: TaskStates,
    { line, values, redaction }: TaskRunContext,
  ) {
    const { name, condition } = task;
    if (!condition || states.of(name).attempt > 0) return true;
    const result = evaluateCondition(condition, values());
    if (result === "holds") return true;
    const sentence = redaction.text(result.sentence);
    const ended_at = system.now().toISOString();
    if (result.evaluated) {
      line("info", `Task "${name}" is skipped: ${sentence}`);
      await states.set(name, { status: "skipped", reason: "condition", ended_at });
    } else {
      line("error", `Task "${name}" failed: ${sentence}`);
      await states.set(name, { status: "failed", ended_at, error: sentence });
    }
    return false;
  }

  return {
    async execute(run, job, control) {
      const { definition, releaseId, version } = await designOf(run, job);
      const { tasks } = definition;
      const env = await environments.actIn(job.environmentId);
      const about = { release_id: releaseId, version };
      const states = createTaskStates(tasks, about, storedTasks(run)?.tasks ?? [], control.checkpoint);
      try {
        const perform = taskRunner(run, env, definition, states, control);
        const mostAtOnce = definition.max_concurrent_tasks ?? tasks.length;
        await runTasks({ tasks, mostAtOnce, states, system, control }, perform);
      } catch (error) {
        if (isPermanentStop(control.signal)) await cancelRest(states, system.now().toISOString());
        throw error;
      }
      const failed = unhandled(tasks, states.of);
      if (failed.length > 0) throw new Error(failureOf(failed, tasks, states));
      const handled = handledFailures(tasks, states);
      for (const sentence of handled) control.line("warn", sentence);
      return { metrics: { ...states.metrics(), ...(handled.length > 0 && { handled_failures: handled }) } };
    },
    /** Ends the programs and cancels the child runs that the tasks have started. */
    async abandon(run) {
      await options.taskProcesses.abandon(run.id);
      for (const { items = [], ...task } of storedTasks(run)?.tasks ?? []) {
        for (const { status, run_id } of [task, ...items]) {
          if (status === "running" && run_id) await cancelRun(options.jobs, run_id, options.context());
        }
      }
    },
  };
}

const versionOf = (current: Release | undefined, releaseId: string, { metrics }: Run): unknown =>
  current?.id === releaseId ? current.version : (metrics.version ?? null);

const isPermanentStop = ({ reason, aborted }: AbortSignal): boolean =>
  aborted && reason instanceof Stopped && (reason.reason === "cancelled" || reason.reason === "timeout");

async function cancelRest(states: TaskStates, ended_at: string): Promise<void> {
  const rest = states.all().filter((state) => !isOver(state));
  await Promise.all(rest.map(({ name }) => states.set(name, { status: "cancelled", ended_at })));
}

/** Why the run succeeds although tasks have failed: every path from them ends in a task that succeeded. */
function handledFailures(tasks: readonly AutomationTask[], states: TaskStates): readonly string[] {
  return tasks
    .filter(({ name }) => states.of(name).status === "failed")
    .map(({ name }) => {
      const after = tasks.filter(({ depends_on }) => depends_on.includes(name));
      const handlers = after
        .filter((task) => states.of(task.name).status === "succeeded")
        .map((task) => `"${task.name}" (run_if: ${task.run_if})`);
      const because =
        handlers.length === 0
          ? "the tasks at the end succeeded"
          : `${handlers.join(" and ")} ran after it and succeeded`;
      return `Task "${name}" failed: ${states.of(name).error} The run counts as succeeded, because ${because}.`;
    });
}

function failureOf(failed: readonly string[], tasks: readonly AutomationTask[], states: TaskStates): string {
  const roots = rootsOf(failed, tasks, states.of);
  return roots.map((name) => `Task "${name}" failed: ${states.of(name).error}`).join(" ");
}
