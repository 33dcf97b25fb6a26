import type { Automation, AutomationDetails } from "@lakehelm/contract";

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

/** A stored definition was checked by the server, so its tasks are tasks. */
export const tasksOf = ({ definition }: Automation): readonly Task[] =>
  (definition?.tasks as readonly Task[] | undefined) ?? [];

/** When it runs, in a few words. */
export function timingText({ schedule, trigger }: AutomationDetails["schedules"][number]): string {
  if (schedule) return `${schedule.cron} ${schedule.timezone ?? "UTC"}`;
  if (trigger?.table_update) return `when ${trigger.table_update.table_names.join(", ")} changes`;
  if (trigger?.file_arrival) return `when files arrive in ${trigger.file_arrival.path}`;
  if (trigger?.continuous) return "all the time";
  return "when you start it";
}

/** The text that a new automation starts with. */
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
