import type { AutomationDefinition } from "@lakehelm/contract";
import { isCron } from "@lakehelm/contract/schema";

type Task = AutomationDefinition["tasks"][number];

/** What must hold in a definition beyond its schema. Each sentence names what it is about. */
export function definitionProblems(definition: AutomationDefinition): string[] {
  const size = sizeProblem(definition);
  if (size !== undefined) return [size];
  return [
    ...definition.tasks.flatMap(taskProblems),
    ...nameProblems(definition.tasks),
    ...dependencyProblems(definition.tasks),
    ...scheduleProblems(definition.schedule ?? null),
  ];
}

const deepest = 32;
const most = 10_000;

/** Printing and reading YAML takes about 25 ms for a thousand values, in which nobody else is served. */
export function sizeProblem(definition: unknown): string | undefined {
  let level: unknown[] = [definition];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > deepest) return `The definition is nested deeper than ${deepest} levels.`;
    if (values > most) return `The definition has more than ${most} values.`;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return undefined;
}

function taskProblems({ name, kind, query, url, reference }: Task): string[] {
  if (kind === "sql") return query?.trim() ? [] : [`Task "${name}" is of kind sql and needs a query.`];
  if (kind === "http") {
    return isWebAddress(url ?? "") ? [] : [`Task "${name}" is of kind http and needs an http(s) url.`];
  }
  return reference ? [] : [`Task "${name}" is of kind ${kind} and needs a reference: the ${kind}'s name.`];
}

const isWebAddress = (url: string) => /^https?:$/.test(URL.parse(url)?.protocol ?? "");

function nameProblems(tasks: readonly Task[]): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of tasks) (seen.has(name) ? twice : seen).add(name);
  return [...twice].map((name) => `Two tasks are named "${name}".`);
}

function dependencyProblems(tasks: readonly Task[]): string[] {
  const names = new Set(tasks.map(({ name }) => name));
  const unknown = tasks.flatMap(({ name, depends_on }) =>
    depends_on
      .filter((other) => !names.has(other))
      .map((other) => `Task "${name}" depends on "${other}", which is no task of this automation.`),
  );
  const circle = findCircle(tasks);
  if (!circle) return unknown;
  return [...unknown, `Tasks wait for each other: ${circle.map((name) => `"${name}"`).join(" → ")}.`];
}

/** Takes away, again and again, the tasks that wait for nothing; what is left waits in a circle. */
function findCircle(tasks: readonly Task[]): string[] | undefined {
  const names = new Set(tasks.map(({ name }) => name));
  const waitsFor = new Map(
    tasks.map(({ name, depends_on }) => [name, new Set(depends_on.filter((other) => names.has(other)))]),
  );
  const waiters = new Map<string, string[]>();
  for (const [name, others] of waitsFor) {
    for (const other of others) waiters.set(other, (waiters.get(other) ?? []).concat(name));
  }
  const free = [...names].filter((name) => waitsFor.get(name)?.size === 0);
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    for (const waiter of waiters.get(name) ?? []) {
      waitsFor.get(waiter)?.delete(name);
      if (waitsFor.get(waiter)?.size === 0) free.push(waiter);
    }
    waitsFor.delete(name);
  }
  const path: string[] = [];
  for (let at = first(waitsFor.keys()); at !== undefined; at = first(waitsFor.get(at)?.values())) {
    if (path.includes(at)) return [...path.slice(path.indexOf(at)), at];
    path.push(at);
  }
  return undefined;
}

const first = <T>(items: Iterator<T> | undefined): T | undefined => items?.next().value;

function scheduleProblems(schedule: NonNullable<AutomationDefinition["schedule"]> | null): string[] {
  if (!schedule) return [];
  const { cron, timezone } = schedule;
  return [
    ...(isCron(cron) ? [] : [`The schedule's cron expression "${cron}" does not parse.`]),
    ...(timezone === null || isTimeZone(timezone) ? [] : [`The time zone "${timezone}" is not known.`]),
  ];
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
