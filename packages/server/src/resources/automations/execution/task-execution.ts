import type { AutomationTask, Run } from "@lakehelm/contract";
import type { Engine } from "@lakehelm/engine";
import type { Semaphore } from "../../../core/concurrency/semaphore.ts";
import { extractSecrets } from "../../../core/secrets/mask.ts";
import type { Redaction } from "../../../core/secrets/redaction.ts";
import type { RunControl } from "../../../runtime/jobs/executor.ts";
import type { Outbound } from "../../../runtime/outbound/outbound.ts";
import type { EnvironmentContext } from "../../../runtime/platforms/environment-context.ts";
import { warehouseScope } from "../../../runtime/platforms/warehouse.ts";
import { fillTree, type TemplateValues, Unfilled } from "../templates.ts";
import { askAgent, type Invoke } from "./agent-task.ts";
import { boundQuery } from "./bound-query.ts";
import { type ChildParts, runChild } from "./child-run.ts";
import { columnTypes } from "./column-types.ts";
import { sendHttp } from "./http-task.ts";
import { bounded } from "./output.ts";
import { PermanentError } from "./permanent-error.ts";
import { runScript } from "./sql-task.ts";
import type { Doing } from "./task-attempts.ts";
import type { TaskState } from "./task-state.ts";
import type { TemplateFill } from "./template-fill.ts";

/** The dependencies of task execution. */
export interface TaskParts extends ChildParts {
  readonly engine: Pick<Engine, "request">;
  readonly outbound: Pick<Outbound, "send">;
  readonly invoke: Invoke;
  /** Limits concurrent scripts to the warehouse's number of concurrent runs. */
  readonly turns: Semaphore;
  readonly random: () => number;
}

/** What the tasks of a run share. */
export interface RunParts {
  readonly run: Run;
  readonly env: EnvironmentContext;
  readonly line: RunControl["line"];
  readonly fill: TemplateFill;
  readonly hiding: Redaction;
  readonly values: () => TemplateValues;
}

/** The default timeout of an http task. */
const answerSeconds = 60;

/** One attempt at a task, by its kind. Secrets are redacted in its output and its error. */
export function workOf(parts: TaskParts, runParts: RunParts, task: AutomationTask): Doing {
  const { hiding } = runParts;
  return async (attempt, signal, found) => {
    try {
      const output = await doTask(parts, runParts, task, attempt, signal, found);
      return output && bounded(hiding.tree(output));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      const sentence = hiding.text(error.message);
      throw error instanceof PermanentError || error instanceof Unfilled
        ? new PermanentError(sentence)
        : new Error(sentence, { cause: error });
    }
  };
}

async function doTask(
  parts: TaskParts,
  { run, env, line, fill, values }: RunParts,
  task: AutomationTask,
  attempt: number,
  signal: AbortSignal,
  found: (runId: string) => Promise<void>,
): Promise<TaskState["output"]> {
  const { environment } = env;
  const reference = task.reference ?? "";
  switch (task.kind) {
    case "sql": {
      const { sql, parameters, made } = boundQuery(task.query ?? "", values());
      const script = {
        scope: warehouseScope(env),
        sql,
        parameters: { ...(await filled(fill, task.parameters, values())), ...parameters },
        types: columnTypes([...Object.entries(task.parameters), ...made], values()),
        idempotencyKey: `${run.id}/${task.name}`,
      };
      return parts.turns(signal, () => runScript(parts.engine, script, { signal, line }, parts.random));
    }
    case "http": {
      const request = {
        url: await fill(task.url ?? "", values()),
        parameters: await filled(fill, task.parameters, values()),
        idempotencyKey: `${run.id}/${task.name}`,
        timeoutMs: (task.timeout_seconds ?? answerSeconds) * 1000,
      };
      return sendHttp(parts.outbound, request, signal);
    }
    case "agent": {
      const body = await filled(fill, task.parameters, values());
      return askAgent(parts.invoke, reference, environment.id, body, signal);
    }
    default:
      return runChild(
        parts,
        {
          kind: task.kind,
          reference,
          environment,
          parameters: shown(fillTree(task.parameters, values())),
          runId: run.id,
          task: task.name,
          attempt,
        },
        signal,
        found,
      );
  }
}

type Tree = Readonly<Record<string, unknown>>;

/** Filling a map yields a map. */
const filled = async (fill: TemplateFill, tree: Tree, values: TemplateValues) =>
  (await fill(tree, values)) as Tree;

/** Everyone can read the cause of a run, so secrets are redacted in it. */
const shown = (tree: unknown): Tree => extractSecrets(tree as Tree).masked;
