import type { AutomationDefinition } from "@lakehelm/contract";
import { isCron } from "@lakehelm/contract/schema";
import { cronProblem, firingProblem, timezoneProblem } from "@lakehelm/schedule";
import { readTableName } from "@lakehelm/sql/names";
import { addressFindings } from "./address-secrets.ts";
import { placeholderFindings } from "./placeholders.ts";
import { referenceFindings } from "./task-credentials.ts";
import { taskFieldFindings } from "./task-fields.ts";
import { orderFindings } from "./task-order.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

/** Rules beyond the schema. Each message names its subject. */
export function definitionFindings(definition: AutomationDefinition): ValidationFinding[] {
  const size = sizeProblem(definition);
  if (size !== undefined) return [finding(size)];
  return [
    ...(definition.tasks.length === 0 ? [finding("The automation has no tasks.", "tasks")] : []),
    ...definition.tasks.flatMap(taskFieldFindings),
    ...nameFindings(definition),
    ...orderFindings(definition.tasks),
    ...placeholderFindings(definition),
    ...referenceFindings(definition),
    ...addressFindings(definition).filter(({ path }) => !isUrl(path)),
    ...scheduleFindings(definition),
    ...triggerFindings(definition),
  ];
}

/** URLs of http tasks are checked with the task. */
const isUrl = ([root, , key]: ValidationFinding["path"]) => root === "tasks" && key === "url";

/** The findings as messages, without source locations. */
export const definitionProblems = (definition: AutomationDefinition): string[] =>
  definitionFindings(definition).map(({ message }) => message);

const maxDepth = 32;
const maxValues = 10_000;

/** Printing and parsing YAML takes about 25 ms per thousand values and blocks the event loop. */
export function sizeProblem(definition: unknown): string | undefined {
  let level: unknown[] = [definition];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > maxDepth) return `The definition is nested deeper than ${maxDepth} levels.`;
    if (values > maxValues) return `The definition has more than ${maxValues} values.`;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return undefined;
}

function nameFindings({ tasks }: AutomationDefinition): ValidationFinding[] {
  const known = new Set<string>();
  const reported = new Set<string>();
  return tasks.flatMap(({ name }, at) => {
    const isDuplicate = known.has(name) && !reported.has(name);
    (known.has(name) ? reported : known).add(name);
    return isDuplicate ? [finding(`Two tasks are named "${name}".`, "tasks", at, "name")] : [];
  });
}

function scheduleFindings({ schedule }: AutomationDefinition): ValidationFinding[] {
  if (!schedule) return [];
  const { cron } = schedule;
  const timezone = schedule.timezone ?? "UTC";
  const zone = timezoneProblem(timezone);
  const unread = isCron(cron)
    ? undefined
    : (cronProblem(cron) ?? `The schedule's cron expression "${cron}" does not parse.`);
  const never = unread ?? zone ?? firingProblem(cron, timezone);
  return [
    ...(unread === undefined ? [] : [finding(unread, "schedule", "cron")]),
    ...(zone === undefined ? [] : [finding(zone, "schedule", "timezone")]),
    ...(never === undefined || never === unread || never === zone
      ? []
      : [finding(never, "schedule", "cron")]),
  ];
}

function triggerFindings({ trigger }: AutomationDefinition): ValidationFinding[] {
  const { table_update, file_arrival } = trigger ?? {};
  const tables = table_update?.table_names ?? [];
  const found = tables.flatMap((table, at) => {
    const read = readTableName(table, { catalog: "main", schema: "default" }, "The trigger");
    return "problem" in read ? [finding(read.problem, "trigger", "table_update", "table_names", at)] : [];
  });
  if (table_update && tables.length === 0) {
    found.push(finding("The trigger needs at least one table.", "trigger", "table_update", "table_names"));
  }
  if (file_arrival?.path.trim() === "") {
    found.push(finding("The trigger needs a folder.", "trigger", "file_arrival", "path"));
  }
  return found;
}
