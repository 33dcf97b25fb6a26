import { isMap } from "@lakehelm/contract/connections";
import { fromQuartz } from "@lakehelm/schedule";
import { subjectKind } from "../../../../core/store/store.ts";
import type { InstalledThing } from "../../installed-settings.ts";
import type { DefinitionChange, PlatformDifference } from "../../platform.ts";
import { type FieldDifference, fieldName } from "./settings-difference.ts";

type Adoption = PlatformDifference["adoption"];

const change = (update: Readonly<Record<string, unknown>>): Adoption => ({ change: { update } });
const problem = (text: string): Adoption => ({ problem: text });

/** A changed field of a job as a change of the resource that the job belongs to. */
export function jobAdoption({ subject, settings }: InstalledThing, difference: FieldDifference): Adoption {
  const field = fieldName(difference);
  if (/^(?:schedule|trigger|continuous)\.pause_status$/.test(field)) {
    return { change: { paused: difference.live === "PAUSED" } satisfies DefinitionChange };
  }
  const kind = subjectKind(subject);
  const adopted =
    kind === "connector"
      ? connectorChange(field, difference, settings)
      : kind === "flow"
        ? flowChange(field, difference, settings)
        : undefined;
  if (kind === "automation")
    return problem(
      `A job runs the released definition, so ${field} cannot be adopted. Change the definition and release it, or revert it.`,
    );
  return (
    adopted ??
    problem(`${article(kind)} has no field for ${field} of its job. Revert it, or keep it as it is.`)
  );
}

const article = (kind: string) => `${/^[aeiou]/.test(kind) ? "An" : "A"} ${kind}`;

type Settings = InstalledThing["settings"];

function connectorChange(
  field: string,
  { path, live }: FieldDifference,
  settings: Settings,
): Adoption | undefined {
  const [first, second, third] = path;
  if (field === "name" && typeof live === "string") return change({ name: live });
  if (field === "timeout_seconds" && isCount(live, 1)) return change({ policy: { timeout_seconds: live } });
  if (first === "tasks" && third === "max_retries" && path.length === 3 && isCount(live ?? 0, 0))
    return change({ policy: { attempts: Number(live ?? 0) + 1 } });
  if (field === "schedule.quartz_cron_expression")
    return cronOf(live, (cron) => change({ schedule_cron: cron }));
  if (field === "schedule.timezone_id")
    return problem(
      "The time zone of a connector is configuration.timezone of its environment. Change it there.",
    );
  if (field === "schedule" && live === undefined) return change({ schedule_cron: null });
  if (field === "continuous") return change({ execution_mode: live === undefined ? "manual" : "live" });
  const trigger = isMap(settings.trigger) ? settings.trigger : {};
  if (first === "trigger" && second === "table_update" && isMap(trigger.table_update))
    return change({ table_update_config: tableConfig(changed(trigger.table_update, path.slice(2), live)) });
  if (first === "trigger" && second === "file_arrival" && isMap(trigger.file_arrival))
    return change({ file_arrival_config: fileConfig(changed(trigger.file_arrival, path.slice(2), live)) });
  return undefined;
}

function flowChange(field: string, { live }: FieldDifference, { schedule }: Settings): Adoption | undefined {
  const { quartz_cron_expression, timezone_id } = isMap(schedule) ? schedule : {};
  if (field === "name" && typeof live === "string") return change({ flow_name: live });
  if (field === "schedule.quartz_cron_expression")
    return cronOf(live, (cron) => change({ schedule: { cron, timezone: timezone_id } }));
  if (field === "schedule.timezone_id" && typeof live === "string")
    return cronOf(quartz_cron_expression, (cron) => change({ schedule: { cron, timezone: live } }));
  if (field === "schedule" && live === undefined) return change({ trigger_type: "manual", schedule: null });
  return undefined;
}

/** The time zone is the same before and after, so any will do here. */
function cronOf(quartz: unknown, found: (cron: string) => Adoption): Adoption {
  const read = fromQuartz(String(quartz), "UTC");
  return "cron" in read ? found(read.cron) : problem(read.problem);
}

const isCount = (value: unknown, least: number): value is number =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= 1_000_000;

function changed(map: Readonly<Record<string, unknown>>, [key]: readonly string[], live: unknown) {
  return key === undefined ? (isMap(live) ? live : {}) : { ...map, [key]: live };
}

const tableConfig = ({ table_names, condition, ...waits }: Readonly<Record<string, unknown>>) => ({
  table_names,
  condition: condition === "ALL_UPDATED" ? "all" : "any",
  ...waitsIn(waits),
});

const fileConfig = ({ url, ...waits }: Readonly<Record<string, unknown>>) => ({
  path: url,
  ...waitsIn(waits),
});

const waitsIn = (map: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    ["min_time_between_triggers_seconds", "wait_after_last_change_seconds"].flatMap((key) =>
      typeof map[key] === "number" ? [[key, map[key]]] : [],
    ),
  );
