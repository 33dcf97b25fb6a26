import { api } from "../../app/client.ts";
import type { Suggest, Suggestion } from "../../editor/editor.ts";

type Words = Readonly<Record<string, string>>;

const topKeys: Words = {
  description: "what it is for",
  tasks: "what to run",
  schedule: "when it runs",
  trigger: "what starts it",
  parameters: "values for placeholders",
  overlap: "whether runs may overlap",
  max_concurrent_tasks: "tasks at the same time",
  timeout_seconds: "limit of a run",
  notifications: "channels to notify",
};
const taskKeys: Words = {
  name: "unique name",
  kind: "what it does",
  depends_on: "tasks that end first",
  run_if: "how those must end",
  condition: "what must be true",
  reference: "what it runs",
  query: "SQL",
  url: "for http",
  script: "for python and shell",
  command: "for shell",
  parameters: "values of the run",
  for_each: "once for each item",
  retries: "after a failure",
  retry_seconds: "pause before a retry",
  max_retry_seconds: "longest pause",
  timeout_seconds: "limit of an attempt",
};
const keysIn: Readonly<Record<string, Words>> = {
  "": topKeys,
  tasks: taskKeys,
  schedule: { cron: "five fields", timezone: "such as Europe/Berlin" },
  trigger: { table_update: "", file_arrival: "", continuous: "" },
  table_update: {
    table_names: "",
    condition: "any or all",
    wait_after_last_change_seconds: "",
    min_time_between_triggers_seconds: "",
  },
  file_arrival: { path: "", wait_after_last_change_seconds: "", min_time_between_triggers_seconds: "" },
  notifications: { on_success: "", on_failure: "", on_recovery: "" },
  condition: { left: "", op: "", right: "" },
  for_each: { items: "", concurrency: "" },
};
const values: Readonly<Record<string, readonly string[]>> = {
  kind: ["sql", "flow", "connector", "pipeline", "http", "agent", "automation", "python", "shell"],
  run_if: ["all_success", "all_done", "at_least_one_success", "at_least_one_failed", "none_failed"],
  overlap: ["true", "false"],
  continuous: ["true"],
};

const asValues = (texts: readonly string[]): readonly Suggestion[] =>
  texts.map((text) => ({ text, kind: "constant" }));

/**
 * Completion of a definition: keys by their location, kinds, task names, and names of resources that a task can run.
 */
export const suggestDefinition =
  (environment: string): Suggest =>
  async (word, before, after) => {
    const line = before.slice(before.lastIndexOf("\n") + 1);
    const [, key] = /^[\s-]*([\w]+):\s*(?:\[[^\]]*)?$/.exec(line) ?? [];
    if (key === "depends_on" || (key === undefined && parentOf(before, line) === "depends_on"))
      return asValues(names(before + after));
    if (key === "reference") return references(kindAround(before, after), word, environment);
    if (key !== undefined) return asValues(values[key] ?? []);
    if (!/^\s*(?:-\s+)?$/.test(line)) return [];
    const keys = keysIn[line.trim() === "" && !/^\s/.test(line) ? "" : parentOf(before, line)] ?? {};
    return Object.entries(keys).map(([text, note]) => ({ text: `${text}: `, kind: "property", note }));
  };

/** The key that contains the last line of the text; empty: the line is at the top level. */
function parentOf(before: string, line: string): string {
  const lines = before.split("\n").slice(0, -1);
  let indent = indentOf(line);
  while (lines.length > 0) {
    const above = lines.pop() ?? "";
    const [, start = "", key] = /^([\s-]*)([\w]+):/.exec(above) ?? [];
    if (above.trim() === "" || start.length > indent) continue;
    // A list item belongs to the key of its list.
    if (start.length === indent && !(line.trim().startsWith("-") && !start.includes("-"))) continue;
    if (start.includes("-") && start.length === indent) continue;
    if (key !== undefined && start.length < indent) return key;
    if (key !== undefined && above.trim().endsWith(":")) return key;
    indent = Math.min(indent, start.length);
  }
  return "";
}

/** A dash counts as indentation, because the keys of a list item begin after the dash. */
const indentOf = (line: string) => /^[\s-]*/.exec(line)?.[0].length ?? 0;

const names = (text: string) =>
  [...text.matchAll(/^\s*-?\s*name:\s*["']?([\w-]+)/gm)].map(([, name = ""]) => name);

/** The kind of the task at the cursor. */
function kindAround(before: string, after: string): string {
  const start = Math.max(before.lastIndexOf("\n  - "), before.lastIndexOf("\n- "));
  const end = /\n\s*- /.exec(after)?.index ?? after.length;
  return /\bkind:\s*["']?(\w+)/.exec(before.slice(Math.max(0, start)) + after.slice(0, end))?.[1] ?? "";
}

async function references(kind: string, word: string, environment: string): Promise<readonly Suggestion[]> {
  const text = word.trim();
  const search = { limit: 50, ...(text && { search: text }) };
  const query = { ...search, environment };
  try {
    switch (kind) {
      case "connector":
        return asValues((await api.listConnectors({ query })).connectors.map(({ name }) => name));
      case "pipeline":
        return asValues((await api.listPipelines({ query })).pipelines.map(({ name }) => name));
      case "flow":
        return asValues((await api.listFlows({ query })).flows.map(({ name }) => name));
      case "agent":
        return asValues((await api.listAgents({ query: search })).agents.map(({ name }) => name));
      case "automation":
        return asValues((await api.listAutomations({ query: search })).automations.map(({ alias }) => alias));
      default:
        return [];
    }
  } catch {
    // Without a list of names there are no suggestions.
    return [];
  }
}
