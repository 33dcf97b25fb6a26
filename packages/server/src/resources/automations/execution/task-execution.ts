import type { AutomationTask, Run } from "@lakehelm/contract";
import type { Redaction } from "@lakehelm/contract/connections";
import type { Engine } from "@lakehelm/engine";
import type { Semaphore } from "../../../core/concurrency/semaphore.ts";
import { extractSecrets } from "../../../core/secrets/encrypted-map.ts";
import type { RunControl } from "../../../runtime/jobs/executor.ts";
import type { Outbound } from "../../../runtime/outbound/outbound.ts";
import type { EnvironmentContext } from "../../../runtime/platforms/environment-context.ts";
import { warehouseScope } from "../../../runtime/platforms/warehouse.ts";
import { isTaskCredential } from "../task-credentials.ts";
import { type DefinitionTree, fillTree, type TemplateValues, UnfilledPlaceholder } from "../templates.ts";
import { type Invoke, invokeAgent } from "./agent-task.ts";
import { boundQuery } from "./bound-query.ts";
import { type ChildRunDependencies, runChild } from "./child-run.ts";
import { columnTypes } from "./column-types.ts";
import { sendHttp } from "./http-task.ts";
import { bounded } from "./output.ts";
import { PermanentError } from "./permanent-error.ts";
import { runScript } from "./sql-task.ts";
import type { TaskAttempt } from "./task-attempts.ts";
import type { TaskState } from "./task-state.ts";
import type { TemplateFill } from "./template-fill.ts";

/** The dependencies of task execution. */
export interface TaskDependencies extends ChildRunDependencies {
  readonly engine: Pick<Engine, "request">;
  readonly outbound: Pick<Outbound, "send">;
  readonly invoke: Invoke;
  /** Limits concurrent scripts to the warehouse's number of concurrent runs. */
  readonly scriptSlots: Semaphore;
  readonly random: () => number;
}

/** What the tasks of a run share. */
export interface TaskRunContext {
  readonly run: Run;
  readonly env: EnvironmentContext;
  readonly line: RunControl["line"];
  readonly fill: TemplateFill;
  readonly redaction: Redaction;
  readonly values: () => TemplateValues;
}

/** The default timeout of an http task. */
const defaultTimeoutSeconds = 60;

/** One attempt at a task, by its kind. Secrets are redacted in its output and its error. */
export function attemptOf(
  deps: TaskDependencies,
  context: TaskRunContext,
  task: AutomationTask,
): TaskAttempt {
  const { redaction } = context;
  return async (attempt, signal, found) => {
    try {
      const output = await executeTask(deps, context, task, attempt, signal, found);
      return output && bounded(redaction.tree(output));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      // The cause of an error is logged.
      const { message: sentence } = redaction.error(error);
      throw error instanceof PermanentError || error instanceof UnfilledPlaceholder
        ? new PermanentError(sentence)
        : new Error(sentence, { cause: error });
    }
  };
}

async function executeTask(
  deps: TaskDependencies,
  { run, env, line, fill, redaction, values }: TaskRunContext,
  task: AutomationTask,
  attempt: number,
  signal: AbortSignal,
  found: (runId: string) => Promise<void>,
): Promise<TaskState["output"]> {
  const { environment } = env;
  const reference = task.reference ?? "";
  /** Filling a map yields a map. */
  const filled = async <Fields extends DefinitionTree>(fields: Fields) =>
    (await fill(fields, values(), (path, isWhole) => isTaskCredential(task.kind, path, isWhole))) as Fields;
  switch (task.kind) {
    case "sql": {
      const { sql, parameters, generated } = boundQuery(task.query ?? "", values());
      const script = {
        scope: warehouseScope(env),
        sql,
        parameters: { ...(await filled({ parameters: task.parameters })).parameters, ...parameters },
        types: columnTypes([...Object.entries(task.parameters), ...generated], values()),
        idempotencyKey: `${run.id}/${task.name}`,
      };
      return deps.scriptSlots(signal, () => runScript(deps.engine, script, { signal, line }, deps.random));
    }
    case "http": {
      const request = {
        ...(await filled({ url: task.url ?? "", parameters: task.parameters })),
        idempotencyKey: `${run.id}/${task.name}`,
        timeoutMs: (task.timeout_seconds ?? defaultTimeoutSeconds) * 1000,
      };
      return sendHttp(deps.outbound, request, signal);
    }
    case "agent": {
      const { parameters } = await filled({ parameters: task.parameters });
      return invokeAgent(deps.invoke, reference, environment.id, parameters, signal);
    }
    default:
      return runChild(
        deps,
        {
          kind: task.kind,
          reference,
          environment,
          parameters: redaction.tree(shown(fillTree(task.parameters, values()))),
          runId: run.id,
          task: task.name,
          attempt,
        },
        signal,
        found,
      );
  }
}

/** Everyone can read the cause of a run, so secrets are redacted in it. */
const shown = (tree: unknown): DefinitionTree =>
  extractSecrets(tree as DefinitionTree, {}, { onlyNamed: true }).masked;
