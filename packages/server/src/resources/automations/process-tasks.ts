import type { AutomationDefinition, AutomationTask } from "@lakehelm/contract";
import { heldRole } from "@lakehelm/contract/text";
import { conflict, forbidden } from "../../core/errors.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { Settings } from "../../settings.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

type ProcessSettings = Pick<Settings, "PLATFORM_PROCESS_TASKS" | "PLATFORM_ENV">;

/** Whether a task runs a program on the machine of the server. */
const isProcessTask = ({ kind }: Pick<AutomationTask, "kind">): boolean =>
  kind === "python" || kind === "shell";

export const areProcessTasksOn = (settings: ProcessSettings): boolean =>
  (settings.PLATFORM_PROCESS_TASKS ?? (settings.PLATFORM_ENV === "production" ? "off" : "on")) === "on";

export const processTasksOff =
  "python and shell tasks are off on this server. An operator of the server can allow them: PLATFORM_PROCESS_TASKS=on.";

export const processFindings = (
  { tasks }: AutomationDefinition,
  settings: ProcessSettings,
): ValidationFinding[] =>
  areProcessTasksOn(settings)
    ? []
    : tasks.flatMap((task, at) =>
        isProcessTask(task) ? [finding(`Task "${task.name}": ${processTasksOff}`, "tasks", at, "kind")] : [],
      );

/** Throws if the definition has python or shell tasks that are off, or that the caller may not write or release. */
export function requireProcessTasks(
  definition: Pick<AutomationDefinition, "tasks">,
  settings: ProcessSettings,
  context: ChangeContext,
): void {
  requireProcessAdmin(definition, context);
  const task = definition.tasks.find(isProcessTask);
  if (task && !areProcessTasksOn(settings)) throw conflict(`Task "${task.name}": ${processTasksOff}`);
}

/**
 * Python and shell tasks run as the operating system user of the server, so an admin of one environment is not enough.
 * The server's own changes have no role.
 */
export function requireProcessAdmin(
  { tasks }: Pick<AutomationDefinition, "tasks">,
  { actor, serverRole }: ChangeContext,
): void {
  const task = tasks.find(isProcessTask);
  if (!task) return;
  if (serverRole === undefined || serverRole === "admin") return;
  throw forbidden(
    `Task "${task.name}" runs a program on the server, which requires the role admin on the whole server. ${actor} has ${heldRole(serverRole)} there.`,
  );
}

/** Variables that change how programs are found, loaded or started; the server sets some of them itself. */
const reserved =
  /^(?:PATH|HOME|TMPDIR|IFS|ENV|SHELLOPTS|CDPATH|PS4|PROMPT_COMMAND|NODE_OPTIONS|PERL5.*|RUBY.*|LD_.*|DYLD_.*|PYTHON.*|BASH.*|LAKEHELM_.*)$/;

/** Fields of a `python` or `shell` task. */
export function processFieldFindings(task: AutomationTask, at: number): ValidationFinding[] {
  const { name, kind, script, command, parameters } = task;
  const wrong = (sentence: string, ...path: (string | number)[]) =>
    finding(`Task "${name}"${sentence}`, "tasks", at, ...path);
  const found: ValidationFinding[] = [];
  const hasScript = Boolean(script?.trim());
  if (kind === "python" && (!hasScript || command))
    found.push(wrong(" is of kind python and needs a script, and no command."));
  if (kind === "shell" && hasScript === Boolean(command?.length)) {
    found.push(wrong(" is of kind shell and needs either a script or a command."));
  }
  const [used] = /\{\{\s*(?:parameters|tasks|run|environment|item)\.[^{}]*\}\}|\{\{\s*item\s*\}\}/.exec(
    [script ?? "", ...(command ?? [])].join("\n"),
  ) ?? [undefined];
  if (used !== undefined) {
    found.push(
      wrong(
        `: ${used} is not filled in here, because a value could become code. Pass it in parameters: the program reads it as a variable of its environment.`,
        script ? "script" : "command",
      ),
    );
  }
  if ([script ?? "", ...(command ?? [])].some((text) => text.includes("\0"))) {
    found.push(wrong(": A program cannot have the character NUL.", script ? "script" : "command"));
  }
  for (const key of Object.keys(parameters)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(key)) {
      found.push(
        wrong(`: "${key}" cannot be the name of a variable. Use letters, digits and "_".`, "parameters", key),
      );
    } else if (reserved.test(key)) {
      found.push(
        wrong(
          `: The variable "${key}" decides how programs are started and cannot be set.`,
          "parameters",
          key,
        ),
      );
    }
  }
  return found;
}
