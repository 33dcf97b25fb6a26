import type { AutomationDefinition } from "@lakehelm/contract";
import { isObject } from "@lakehelm/contract/schema";
import { shown, suggestion } from "@lakehelm/contract/text";
import { firingProblem, timezoneProblem } from "@lakehelm/schedule";
import type { Path } from "../read/tree.ts";
import type { ResolvedResource } from "../resolve/resolver.ts";
import { cycleIn } from "./cycle.ts";
import type { Finding } from "./schema-check.ts";

const needed = { sql: "query", http: "url", python: "script" } as const;

/** Checks the rules of a definition that need no server: fields of tasks, their order, and schedules. */
export function automationFindings({ definition }: ResolvedResource): Finding[] {
  if (!isObject(definition.definition)) return [];
  const { tasks = [], schedule } = definition.definition as unknown as Partial<AutomationDefinition>;
  const found: Finding[] = [];
  const at = (path: Path, message: string) => found.push({ path: ["definition", ...path], message });
  if (schedule) found.push(...scheduleFindings(schedule, ["definition", "schedule"]));
  const names = tasks.map(({ name }) => name);
  for (const [index, task] of tasks.entries()) {
    const { name, kind, depends_on = [] } = task;
    const field =
      kind in needed ? needed[kind as keyof typeof needed] : kind === "shell" ? undefined : "reference";
    if (field !== undefined && !task[field])
      at(["tasks", index], `The task ${shown(name)} is of kind ${kind} and needs ${field}.`);
    if (kind === "shell" && !task.script && !task.command)
      at(["tasks", index], `The task ${shown(name)} is of kind shell and needs script or command.`);
    if (names.indexOf(name) !== index)
      at(["tasks", index, "name"], `Another task is named ${shown(name)} too.`);
    for (const [position, other] of depends_on.entries()) {
      if (names.includes(other)) continue;
      at(
        ["tasks", index, "depends_on", position],
        `There is no task ${shown(other)}.${suggestion(other, names)}`,
      );
    }
  }
  const cycle = cycleIn(new Map(tasks.map(({ name, depends_on = [] }) => [name, depends_on])));
  if (cycle)
    at(
      ["tasks", names.indexOf(cycle[0] ?? ""), "depends_on"],
      `Tasks wait for each other: ${cycle.join(" → ")}.`,
    );
  return found;
}

function scheduleFindings(
  { cron, timezone }: { cron: string; timezone?: string | null },
  path: Path,
): Finding[] {
  const zone = timezone ?? "UTC";
  const wrongZone = timezoneProblem(zone);
  if (wrongZone !== undefined) return [{ path: [...path, "timezone"], message: wrongZone }];
  const problem = firingProblem(cron, zone);
  return problem === undefined ? [] : [{ path: [...path, "cron"], message: problem }];
}
