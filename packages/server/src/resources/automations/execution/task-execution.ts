import { type AutomationTask, maxForEachItems, type Run } from "@lakehelm/contract";
import type { Redaction } from "@lakehelm/contract/connections";
import type { Engine } from "@lakehelm/engine";
import type { Semaphore } from "../../../core/concurrency/semaphore.ts";
import { extractSecrets } from "../../../core/secrets/secret-extraction.ts";
import { taskDestination } from "../../../core/secrets/task-destination.ts";
import type { RunControl } from "../../../runtime/jobs/executor.ts";
import type { Outbound } from "../../../runtime/outbound/outbound.ts";
import type { EnvironmentContext } from "../../../runtime/platforms/environment-context.ts";
import { warehouseScope } from "../../../runtime/platforms/warehouse.ts";
import type { TaskProcesses } from "../../../runtime/processes/tasks/task-processes.ts";
import { processTasksOff } from "../process-tasks.ts";
import { isTaskCredential } from "../task-credentials.ts";
import {
  type DefinitionTree,
  fillTree,
  placeholdersIn,
  type TemplateValues,
  UnfilledPlaceholder,
} from "../templates.ts";
import { type Invoke, invokeAgent } from "./agent-task.ts";
import { type CallCheck, requireCallable } from "./automation-call.ts";
import { boundQuery } from "./bound-query.ts";
import { type ChildRunDependencies, runChild } from "./child-run.ts";
import { columnTypes } from "./column-types.ts";
import { itemsOf, runItems } from "./for-each.ts";
import { sendHttp } from "./http-task.ts";
import { bounded } from "./output.ts";
import { PermanentError } from "./permanent-error.ts";
import { runProcess } from "./process-task.ts";
import { runScript } from "./sql-task.ts";
import type { TaskAttempt } from "./task-attempts.ts";
import type { TaskState } from "./task-state.ts";
import type { TaskStates } from "./task-states.ts";
import type { TemplateFill } from "./template-fill.ts";

/** The dependencies of task execution. */
export interface TaskDependencies extends ChildRunDependencies {
  readonly calls: CallCheck;
  readonly engine: Pick<Engine, "request">;
  readonly outbound: Pick<Outbound, "send">;
  readonly invoke: Invoke;
  /** Limits concurrent scripts to the warehouse's number of concurrent runs. */
  readonly scriptSlots: Semaphore;
  readonly random: () => number;
  /** For `python` and `shell` tasks. */
  readonly processes: {
    readonly areOn: boolean;
    readonly python: string;
    readonly supervisor: TaskProcesses;
    /** Limits how many programs run at once. */
    readonly slots: Semaphore;
  };
}

/** What the tasks of a run share. */
export interface TaskRunContext {
  readonly run: Run;
  readonly env: EnvironmentContext;
  readonly line: RunControl["line"];
  readonly fill: TemplateFill;
  readonly redaction: Redaction;
  readonly values: () => TemplateValues;
  readonly states: TaskStates;
  readonly tasks: readonly AutomationTask[];
}

/** What distinguishes one item of a `for_each` from the others. */
interface TaskItem {
  readonly at: number;
  readonly value: unknown;
  /** Column types, if the items are rows. */
  readonly types: Readonly<Record<string, string>>;
}

/** The default timeout of an http task. */
const defaultTimeoutSeconds = 60;

/** One attempt at a task, by its kind. Secrets are redacted in its output and its error. */
export function attemptOf(
  deps: TaskDependencies,
  context: TaskRunContext,
  task: AutomationTask,
): TaskAttempt {
  const { redaction, states, line } = context;
  const { name, for_each } = task;
  const execute = (attempt: number, signal: AbortSignal, found: FoundRun, item?: TaskItem) =>
    readable(signal, redaction, () => executeTask(deps, context, task, attempt, signal, found, item));
  if (!for_each) {
    return async (attempt, signal, found) => {
      const output = await execute(attempt, signal, found);
      return output && bounded(redaction.tree(output));
    };
  }
  return (attempt, signal) =>
    readable(signal, redaction, async () => {
      const { items, types } = itemsOf(for_each, context.values());
      return runItems(
        items,
        {
          attempt,
          concurrency: for_each.concurrency,
          signal,
          before: states.of(name).items ?? [],
          text: redaction.text,
          keep: (all) => states.set(name, { items: [...all] }),
          failed: (at, error) => line("error", `Task "${name}", item ${at + 1} of ${items.length}: ${error}`),
        },
        async (value, at, found) => void (await execute(attempt, signal, found, { at, value, types })),
      );
    });
}

type FoundRun = (runId: string) => Promise<void>;

/** Redacts secrets in errors, and keeps permanent errors permanent. */
async function readable<Result>(
  signal: AbortSignal,
  redaction: Redaction,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    // The cause of an error is logged.
    const { message: sentence } = redaction.error(error);
    throw error instanceof PermanentError || error instanceof UnfilledPlaceholder
      ? new PermanentError(sentence)
      : new Error(sentence, { cause: error });
  }
}

async function executeTask(
  deps: TaskDependencies,
  { run, env, line, fill, redaction, values: valuesOfRun, tasks, states }: TaskRunContext,
  task: AutomationTask,
  attempt: number,
  signal: AbortSignal,
  found: FoundRun,
  item: TaskItem | undefined,
): Promise<TaskState["output"]> {
  const values = () => (item ? { ...valuesOfRun(), item: item.value } : valuesOfRun());
  /** Names have no "/", so items cannot be confused with other tasks. */
  const key = item ? `${task.name}/${item.at}` : task.name;
  const { environment } = env;
  const reference = task.reference ?? "";
  /** Filling a map yields a map. */
  const filled = async <Fields extends DefinitionTree>(fields: Fields) =>
    (await fill(
      fields,
      values(),
      (path, isWhole) => isTaskCredential(task.kind, path, isWhole),
      ([field], { url }) => taskDestination({ ...task, url: typeof url === "string" ? url : null }, field),
    )) as Fields;
  switch (task.kind) {
    case "sql": {
      const { sql, parameters, generated } = boundQuery(task.query ?? "", values());
      const script = {
        scope: warehouseScope(env),
        sql,
        parameters: { ...(await filled({ parameters: task.parameters })).parameters, ...parameters },
        types: columnTypes([...Object.entries(task.parameters), ...generated], values(), item?.types),
        idempotencyKey: `${run.id}/${key}`,
        ...(isListedIn(task.name, tasks) && { maxRows: maxForEachItems }),
      };
      return deps.scriptSlots(signal, () => runScript(deps.engine, script, { signal, line }, deps.random));
    }
    case "http": {
      const request = {
        ...(await filled({ url: task.url ?? "", parameters: task.parameters })),
        idempotencyKey: `${run.id}/${key}`,
        timeoutMs: (task.timeout_seconds ?? defaultTimeoutSeconds) * 1000,
      };
      return sendHttp(deps.outbound, request, signal);
    }
    case "agent": {
      const { parameters } = await filled({ parameters: task.parameters });
      return invokeAgent(deps.invoke, reference, environment.id, parameters, signal);
    }
    case "python":
    case "shell": {
      if (!deps.processes.areOn) throw new PermanentError(processTasksOff);
      const { parameters } = await filled({ parameters: task.parameters });
      const program = {
        runId: run.id,
        key: `${key}/${attempt}`,
        task,
        parameters,
        environment: environment.name,
        python: deps.processes.python,
      };
      const starting = (starts: number) => (item ? Promise.resolve() : states.set(task.name, { starts }));
      return deps.processes.slots(signal, () =>
        runProcess(deps.processes.supervisor, program, { signal, line }, starting),
      );
    }
    default:
      if (task.kind === "automation") await requireCallable(deps, run, reference, environment);
      return runChild(
        deps,
        {
          kind: task.kind,
          reference,
          environment,
          parameters: redaction.tree(shown(fillTree(task.parameters, values()))),
          runId: run.id,
          task: key,
          attempt,
        },
        signal,
        found,
      );
  }
}

/** Whether the items of a `for_each` are the rows of this task. */
const isListedIn = (name: string, tasks: readonly AutomationTask[]) =>
  tasks.some(({ for_each }) => {
    const items = for_each?.items;
    return typeof items === "string" && placeholdersIn(items).some(({ path }) => path[1] === name);
  });

/** Everyone can read the cause of a run, so secrets are redacted in it. */
const shown = (tree: unknown): DefinitionTree =>
  extractSecrets(tree as DefinitionTree, {}, { onlyNamed: true }).masked;
