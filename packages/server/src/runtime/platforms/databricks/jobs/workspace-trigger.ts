import { triggerFields } from "@lakehelm/codegen";
import type { JobTrigger } from "@lakehelm/contract";
import { isMap } from "@lakehelm/contract/connections";
import { shown } from "@lakehelm/contract/text";
import { toQuartz } from "@lakehelm/schedule";
import { connectorTrigger } from "../../connector-trigger.ts";
import type { DeclaredConnector } from "../../platform-request.ts";

/** `schedule`, `trigger` or `continuous` of a job in a workspace; none for one that is started by hand. */
export type TriggerFields = Readonly<Record<string, object>>;

type WorkspaceTrigger =
  | { readonly trigger: JobTrigger; readonly fields: TriggerFields }
  | { readonly problem: string };

/** What starts the job of a connector in a workspace, or why a workspace cannot express it. */
export function connectorWorkspaceTrigger(connector: DeclaredConnector): WorkspaceTrigger {
  const read = connectorTrigger(connector);
  if ("problem" in read) return read;
  const { trigger } = read;
  if (trigger.kind !== "file_arrival") return workspaceTrigger(trigger, connector.table_update_config);
  // The path of our own trigger names the files of the datasets; a workspace watches a folder.
  return workspaceTrigger(
    { ...trigger, path: folderOf(connector) ?? trigger.path },
    connector.file_arrival_config,
  );
}

/** What starts any job. `config` is what was declared, as far as it says how long to wait. */
export function workspaceTrigger(trigger: JobTrigger, config?: object | null): WorkspaceTrigger {
  switch (trigger.kind) {
    case "cron": {
      const converted = toQuartz(trigger.cron);
      if ("problem" in converted)
        return { problem: `The schedule ${shown(trigger.cron)}: ${converted.problem}` };
      const schedule = { cron: trigger.cron, quartz: converted.quartz, timezone: trigger.timezone };
      return { trigger, fields: fieldsOf({ kind: "schedule", schedule }) };
    }
    case "table_update": {
      const condition = trigger.condition === "all" ? "ALL_UPDATED" : "ANY_UPDATED";
      const waits = waitsOf(trigger, config);
      return {
        trigger,
        fields: fieldsOf({ kind: "table_update", tables: trigger.tables, condition, waits }),
      };
    }
    case "file_arrival": {
      const { path } = trigger;
      const problem = folderTriggerProblem(path);
      if (problem !== undefined) return { problem };
      const url = path.endsWith("/") ? path : `${path}/`;
      return { trigger, fields: fieldsOf({ kind: "file_arrival", url, waits: waitsOf(trigger, config) }) };
    }
    case "live":
      return { trigger, fields: fieldsOf({ kind: "live" }) };
    case "manual":
      return { trigger, fields: {} };
  }
}

/** The same fields, paused or not. */
export const withPause = (fields: TriggerFields, isPaused: boolean): TriggerFields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      { ...value, pause_status: isPaused ? "PAUSED" : "UNPAUSED" },
    ]),
  );

const fieldsOf = (trigger: Parameters<typeof triggerFields>[0]) => triggerFields(trigger) as TriggerFields;

/** A workspace accepts no wait, or at least a minute. Our default for files is shorter, and is left out. */
function waitsOf(
  { quiet_seconds, minimum_seconds }: { readonly quiet_seconds: number; readonly minimum_seconds: number },
  config: object | null | undefined,
) {
  const isDeclared = isMap(config) && config.wait_after_last_change_seconds !== undefined;
  const quiet = isDeclared || quiet_seconds >= 60 ? quiet_seconds : 0;
  return {
    ...(minimum_seconds > 0 && { min_time_between_triggers_seconds: Math.max(60, minimum_seconds) }),
    ...(quiet > 0 && { wait_after_last_change_seconds: Math.max(60, quiet) }),
  };
}

function folderOf({ file_arrival_config, target_config }: DeclaredConnector): string | undefined {
  const { path, url } = file_arrival_config ?? {};
  const { connection } = target_config;
  const config = isMap(connection) && isMap(connection.config) ? connection.config : {};
  return [path, url, config.path].find((one) => typeof one === "string");
}

/** Why a job in a workspace cannot wait for files at a path. */
export function folderTriggerProblem(path: string): string | undefined {
  const problem = folderProblem(path);
  return problem && `A job cannot wait for files at ${shown(path)}: ${problem}`;
}

function folderProblem(folder: string): string | undefined {
  if (!/^(?:\/Volumes\/|(?:s3|s3a|abfss|wasbs|gs|r2):\/\/)/.test(folder))
    return "expected a volume (/Volumes/…) or a folder in cloud storage (s3://, abfss://, gs://).";
  return /[*?{}[\]]/.test(folder) ? "a workspace watches a folder, and no pattern of files." : undefined;
}
