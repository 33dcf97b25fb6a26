import type { Automation, AutomationDetails } from "@lakehelm/contract";
import { cronTiming, type Timing } from "../../format/schedule.ts";

export interface Task {
  readonly name: string;
  readonly kind: string;
  readonly depends_on: readonly string[];
  readonly reference?: string | null;
  readonly query?: string | null;
  readonly url?: string | null;
  readonly script?: string | null;
  readonly command?: readonly string[] | null;
  readonly run_if?: string;
  readonly retries?: number;
  readonly timeout_seconds?: number | null;
}

/** The server validated the stored definition, so its `tasks` fit the type. */
export const tasksOf = ({ definition }: Automation): readonly Task[] =>
  (definition?.tasks as readonly Task[] | undefined) ?? [];

/** What starts the automation's runs. */
export function timingOf({ schedule, trigger }: AutomationDetails["schedules"][number]): Timing {
  if (schedule) return cronTiming(schedule.cron, schedule.timezone ?? "UTC");
  if (trigger?.table_update) return { text: `when ${trigger.table_update.table_names.join(", ")} changes` };
  if (trigger?.file_arrival) return { text: `when files arrive in ${trigger.file_arrival.path}` };
  if (trigger?.continuous) return { text: "all the time" };
  return { text: "when you start it" };
}

/** The initial text of a new automation. */
export const firstText = `# What the automation is for, in one sentence.
description: ""
tasks:
  - name: first
    kind: sql
    query: select 1
# schedule:
#   cron: "0 6 * * *"
#   timezone: Europe/Berlin
`;

/** A stored definition as YAML; empty if there is none. */
export async function definitionText(definition: Automation["definition"]): Promise<string> {
  if (definition === null) return "";
  const { stringify } = await import("yaml");
  return stringify(withoutEmpty(definition), { lineWidth: 120 });
}

/** Leaves out values without meaning in a definition and its tasks: null, and empty lists and maps. */
function withoutEmpty(definition: Readonly<Record<string, unknown>>): object {
  const { tasks } = definition;
  const fields = Array.isArray(tasks) ? { ...definition, tasks: tasks.map(filled) } : definition;
  return filled(fields);
}

const isEmpty = (value: unknown) =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
const filled = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
