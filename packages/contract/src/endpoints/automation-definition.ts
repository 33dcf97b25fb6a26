import * as s from "../schema/index.ts";

/** What people write: the schema is published, and printed from here. A key that it does not have is mostly misspelled. */
const model = <const F extends s.Fields>(name: string, fields: F) =>
  s.model(name, fields, { closed: () => "The key is not known" });

const TaskCondition = model("TaskCondition", {
  left: s.word().describe("Text with `{{…}}` in it, such as `{{tasks.count.value}}`."),
  op: s.literal("==", "!=", "<", "<=", ">", ">=").describe("How the two are compared."),
  right: s
    .word()
    .describe(
      "The same, or a number or boolean. Two numbers are compared as numbers, anything else as text.",
    ),
});

const AutomationTask = model("AutomationTask", {
  name: s.string({ min: 1 }).describe("Unique in its automation: one to 100 letters, digits, `_` or `-`."),
  kind: s
    .literal("sql", "flow", "connector", "pipeline", "http", "agent")
    .describe("What it does; `sql` needs a `query`, `http` a `url`, the others a `reference`."),
  depends_on: s.list(s.string()).default([]).describe("Names of tasks that must have ended before."),
  run_if: s
    .literal("all_success", "all_done", "at_least_one_success", "at_least_one_failed", "none_failed")
    .default("all_success")
    .describe("How those must have ended. A task that is not run is skipped."),
  condition: TaskCondition.nullable()
    .optional()
    .describe("What must hold besides, once the tasks before it have ended; otherwise it is skipped."),
  reference: s
    .string()
    .nullable()
    .optional()
    .describe("What it runs: the name of the connector, pipeline, flow or agent."),
  query: s.string().nullable().optional().describe("The statements of an `sql` task."),
  url: s.string().nullable().optional().describe("The address of an `http` task."),
  parameters: s
    .map()
    .default({})
    .describe(
      "For the run of a flow, connector or pipeline; the body of an agent's request; of an `sql` task the values of `:name` in it; of an `http` task `method`, `headers` and `body`.",
    ),
  retries: s.integer({ ge: 0, le: 100 }).default(0).describe("How often it is tried again after a failure."),
  retry_seconds: s.integer({ ge: 0, le: 86_400 }).default(10).describe("The pause before that."),
  timeout_seconds: s.integer({ ge: 1 }).nullable().optional().describe("How long one attempt may take."),
});
export type AutomationTask = s.Infer<typeof AutomationTask>;

export const AutomationSchedule = model("AutomationSchedule", {
  cron: s.string().describe("Five fields, or six with seconds first."),
  timezone: s
    .string()
    .nullable()
    .default("UTC")
    .describe("A name of the IANA list: `Europe/Berlin`. Null is UTC."),
});

const waits = () => ({
  wait_after_last_change_seconds: s
    .integer({ ge: 0, le: 7 * 24 * 3600 })
    .default(0)
    .describe("How long nothing must have changed before it runs."),
  min_time_between_triggers_seconds: s
    .integer({ ge: 0, le: 7 * 24 * 3600 })
    .default(0)
    .describe("The least distance between two runs."),
});

export const AutomationTrigger = model("AutomationTrigger", {
  table_update: model("OnTableUpdate", {
    table_names: s
      .list(s.string())
      .describe("Names of fewer than three parts are completed by the environment."),
    condition: s
      .literal("any", "all")
      .default("any")
      .describe("Which of them must have changed since the last run."),
    ...waits(),
  })
    .nullable()
    .optional()
    .describe("It runs when tables have changed."),
  file_arrival: model("OnFileArrival", { path: s.string().describe("A folder, or a glob."), ...waits() })
    .nullable()
    .optional()
    .describe("It runs when files have come."),
  continuous: s.boolean().optional().describe("It starts again when its last run has ended."),
}).rule(({ table_update, file_arrival, continuous }) =>
  [table_update, file_arrival, continuous].filter(Boolean).length === 1
    ? undefined
    : "exactly one of table_update, file_arrival and continuous must be set",
);

const channels = (when: string) =>
  s
    .list(s.string())
    .default([])
    .describe(`Who hears ${when}: \`channel_id\`s bound in the environment of the release.`);

const AutomationNotifications = model("AutomationNotifications", {
  on_success: channels("of runs that succeeded"),
  on_failure: channels("of runs that failed"),
  on_recovery: channels("of the first success after a failure"),
});

const Definition = model("AutomationDefinition", {
  version: s.integer({ ge: 1, le: 1 }).default(1).describe("The version of this schema."),
  description: s.string().default("").describe("What it is for, in a sentence."),
  tasks: s.list(AutomationTask).describe("What it does; each task when those that it depends on have ended."),
  schedule: AutomationSchedule.nullable().optional().describe("When it runs, by the clock."),
  trigger: AutomationTrigger.nullable().optional().describe("In place of a schedule."),
  parameters: s
    .map()
    .default({})
    .describe("Values for `{{parameters.name}}` in tasks; those of a run win over them."),
  overlap: s.boolean().default(false).describe("Whether a run may begin before the last one has ended."),
  timeout_seconds: s.integer({ ge: 1 }).nullable().optional().describe("How long a run may take."),
  notifications: AutomationNotifications.nullable()
    .optional()
    .describe(
      "Channels that hear of runs, besides those bound to the automation, which hear of releases, failures, recoveries and pauses.",
    ),
});

/** Whether a key stands at the top of a definition. */
export const isDefinitionKey = (key: string): boolean => Object.hasOwn(Definition.fields, key);

export const AutomationDefinition = Definition.rule(({ schedule, trigger }) =>
  schedule && trigger ? "schedule and trigger cannot be combined" : undefined,
);
export type AutomationDefinition = s.Infer<typeof AutomationDefinition>;
