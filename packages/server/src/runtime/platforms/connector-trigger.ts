import type { JobTrigger } from "@lakehelm/contract";
import { field, isMap, readConfig } from "@lakehelm/contract/connections";
import { timezoneProblem } from "@lakehelm/schedule";
import { live } from "../jobs/job-steps.ts";
import { filesOf } from "../jobs/watched-datasets.ts";
import type { DeclaredConnector } from "./platform-request.ts";
import { fullTableName } from "./warehouse.ts";

type TriggerResult = { readonly trigger: JobTrigger } | { readonly problem: string };

/** The trigger of a connector's job, or a message about what is missing. */
export function connectorTrigger(connector: DeclaredConnector): TriggerResult {
  switch (connector.execution_mode) {
    case "batch":
      return connector.schedule_cron === null
        ? manual
        : cronTrigger(connector.schedule_cron, connector.timezone);
    case "table_update":
      return tableTrigger(connector);
    case "file_arrival":
      return fileTrigger(connector);
    case "live":
      return { trigger: live };
    default:
      return manual;
  }
}

const manual: TriggerResult = { trigger: { kind: "manual" } };

function cronTrigger(cron: string, timezone: unknown): TriggerResult {
  if (timezone === undefined || timezone === null)
    return { trigger: { kind: "cron", cron, timezone: "UTC" } };
  const problem = typeof timezone === "string" ? timezoneProblem(timezone) : "It must be a string.";
  if (problem) return { problem: `The environment's configuration.timezone: ${problem}` };
  return { trigger: { kind: "cron", cron, timezone: String(timezone) } };
}

/** A week: a larger value is probably in milliseconds. */
const longestSeconds = 7 * 24 * 3600;

const seconds = () => field.integer(0, longestSeconds);

/** The keys are those of Databricks triggers. */
const tableUpdateFields = {
  table_names: field.textList().optional(),
  condition: field.oneOf("any", "all", "any_updated", "all_updated").default("any"),
  wait_after_last_change_seconds: seconds().default(0),
  min_time_between_triggers_seconds: seconds().default(0),
};
const fileArrivalFields = {
  path: field.text().optional(),
  url: field.text().optional(),
  wait_after_last_change_seconds: seconds().default(5),
  min_time_between_triggers_seconds: seconds().default(0),
};

/** Watches the tables that the connector reads, unless the config names others. */
function tableTrigger(connector: DeclaredConnector): TriggerResult {
  const { table_update_config, datasets, target_type } = connector;
  const { values, problems } = readConfig(
    tableUpdateFields,
    table_update_config ?? {},
    "table_update_config",
  );
  const read =
    target_type === "warehouse" ? [] : (datasets ?? []).map(({ source_dataset }) => source_dataset);
  const tables = values.table_names ?? read;
  if (tables.length === 0) {
    problems.push(
      "table_update_config.table_names: it is required, unless the connector has datasets that read warehouse tables.",
    );
  }
  if (problems.length > 0) return { problem: problems.join(" ") };
  return {
    trigger: {
      kind: "table_update",
      tables: tables.map((name) => fullTableName(name, scopeOf(connector))),
      condition: values.condition.startsWith("all") ? "all" : "any",
      quiet_seconds: values.wait_after_last_change_seconds,
      minimum_seconds: values.min_time_between_triggers_seconds,
    },
  };
}

/** Completes names in the same way as code generation. */
const scopeOf = ({ catalog, schema }: DeclaredConnector) => ({
  catalog: typeof catalog === "string" ? catalog : "main",
  schema: typeof schema === "string" ? schema : "default",
});

/** Watches the files of the connection's datasets, unless the config names a path. */
function fileTrigger({ file_arrival_config, target_config, datasets }: DeclaredConnector): TriggerResult {
  const { values, problems } = readConfig(
    fileArrivalFields,
    file_arrival_config ?? {},
    "file_arrival_config",
  );
  const { connection } = target_config;
  const config = isMap(connection) && isMap(connection.config) ? connection.config : {};
  const folder = typeof config.path === "string" ? config.path : undefined;
  const path = values.path ?? values.url ?? (folder && filesOf(folder, datasets ?? []));
  if (path === undefined) {
    problems.push(
      "file_arrival_config.path: it is required, unless the connection is of type files and has a path.",
    );
  }
  if (path === undefined || problems.length > 0) return { problem: problems.join(" ") };
  return {
    trigger: {
      kind: "file_arrival",
      path,
      quiet_seconds: values.wait_after_last_change_seconds,
      minimum_seconds: values.min_time_between_triggers_seconds,
    },
  };
}
