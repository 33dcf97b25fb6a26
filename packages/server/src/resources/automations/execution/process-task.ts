import type { AutomationTask } from "@lakehelm/contract";
import { isSecretKey } from "@lakehelm/contract/connections";
import { encodeJson } from "@lakehelm/contract/schema";
import { referencesIn } from "../../../core/secrets/references.ts";
import { Stopped } from "../../../runtime/jobs/attempt-outcome.ts";
import type { RunControl } from "../../../runtime/jobs/executor.ts";
import {
  scriptPath,
  type TaskProcesses,
  type TaskProgram,
} from "../../../runtime/processes/tasks/task-processes.ts";
import { placeholdersIn } from "../templates.ts";
import { PermanentError } from "./permanent-error.ts";
import type { TaskState } from "./task-state.ts";

/** The time limit of a task without its own. */
const defaultTimeoutSeconds = 3600;
/** Linux limits the length of a variable, and of all variables together. */
const maxVariable = 100_000;
const maxVariables = 1_000_000;
const longestValue = 1000;

export interface ProcessTask {
  readonly runId: string;
  /** The task, its item and its attempt. */
  readonly key: string;
  readonly task: AutomationTask;
  /** With placeholders and secrets filled in. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly environment: string;
  readonly python: string;
}

/** Runs the program of a task. The last line that it wrote is its value. */
export async function runProcess(
  processes: TaskProcesses,
  { runId, key, task, parameters, environment, python }: ProcessTask,
  { signal, line }: Pick<RunControl, "signal" | "line">,
  starting: (starts: number) => Promise<void>,
): Promise<TaskState["output"]> {
  const variables = variablesOf(parameters);
  const program: TaskProgram = {
    runId,
    key,
    command: commandOf(task, python),
    script: task.script ?? null,
    variables: { ...variables, LAKEHELM_ENVIRONMENT: environment },
    secrets: secretsIn(task, variables),
    timeoutMs: (task.timeout_seconds ?? defaultTimeoutSeconds) * 1000,
  };
  const { lines } = await processes.run(program, {
    signal,
    isInterrupted: () => isInterruption(signal),
    line: (level, text) => line(level, text),
    starting,
  });
  const value = lines.at(-1)?.slice(0, longestValue).toWellFormed() ?? null;
  return { exit_code: 0, value };
}

/** The next attempt, here or on another server, starts the program again. */
const isInterruption = ({ reason }: AbortSignal) =>
  reason instanceof Stopped && (reason.reason === "stopping" || reason.reason === "lost");

function commandOf({ kind, script, command }: AutomationTask, python: string): TaskProgram["command"] {
  if (kind === "python") return [python, "-u", scriptPath];
  const [program, ...rest] = script ? [] : (command ?? []);
  return program === undefined ? ["/bin/sh", scriptPath] : [program, ...rest];
}

function variablesOf(parameters: Readonly<Record<string, unknown>>): Record<string, string> {
  const variables = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, textOf(value)]),
  );
  let length = 0;
  for (const [name, value] of Object.entries(variables)) {
    length += name.length + Buffer.byteLength(value);
    if (value.includes("\0")) throw new PermanentError(`The variable "${name}" contains the character NUL.`);
    if (Buffer.byteLength(value) > maxVariable) {
      throw new PermanentError(`The variable "${name}" is longer than ${maxVariable} bytes.`);
    }
  }
  if (length > maxVariables) throw new PermanentError(`The variables have more than ${maxVariables} bytes.`);
  return variables;
}

/** The same conversion as for placeholders: text unchanged, null as the empty text, everything else as JSON. */
function textOf(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value : encodeJson(value);
}

/**
 * The values of variables that are named like a secret, contain a reference to one, or use a parameter named like one.
 */
const secretsIn = ({ parameters }: AutomationTask, variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables).flatMap(([name, value]) => {
    const written = String(parameters[name]);
    const isSecret =
      isSecretKey(name) ||
      referencesIn(written).length > 0 ||
      placeholdersIn(written).some(({ path }) => path.some(isSecretKey));
    return isSecret ? [value] : [];
  });
