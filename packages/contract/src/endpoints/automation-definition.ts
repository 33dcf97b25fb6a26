import * as s from "../schema/index.ts";

/** People write definitions by hand, so an unknown key is an error: it is usually misspelled. */
const model = <const F extends s.Fields>(name: string, fields: F) =>
  s.model(name, fields, { closed: () => "The key is not known" });

/** A limit is converted to milliseconds, so a limit of more than a year counts as a year. */
const timeLimit = () => s.integer({ ge: 1, cap: 31_536_000 });

const TaskCondition = model("TaskCondition", {
  left: s.coercedString().describe("Text with placeholders, such as `{{tasks.count.value}}`."),
  op: s.literal("==", "!=", "<", "<=", ">", ">=").describe("The comparison."),
  right: s
    .coercedString()
    .describe(
      "Text with placeholders, a number or a boolean. Two numbers are compared as numbers, anything else as text.",
    ),
});

/** The most items of a `for_each`. Every step of the run writes the states of all items. */
export const maxForEachItems = 1000;

const ForEach = model("TaskForEach", {
  items: s
    .any()
    .describe(
      `A list of at most ${maxForEachItems} values, or one placeholder whose value is a list: \`{{parameters.regions}}\`, or \`{{tasks.find.output.rows}}\` for the rows of an \`sql\` task, each a map by column.`,
    ),
  concurrency: s
    .integer({ ge: 1, le: 100 })
    .default(1)
    .describe("How many items may be in progress at the same time."),
});

const AutomationTask = model("AutomationTask", {
  name: s.string({ min: 1 }).describe("Unique in the automation: 1 to 100 letters, digits, `_` or `-`."),
  kind: s
    .literal("sql", "flow", "connector", "pipeline", "http", "agent", "automation", "python", "shell")
    .describe(
      "What the task does. `sql` needs a `query`, `http` a `url`, `python` a `script`, `shell` a `script` or a `command`, the others a `reference`. `python` and `shell` require an admin of the whole server.",
    ),
  depends_on: s.list(s.string()).default([]).describe("Names of the tasks that must end first."),
  run_if: s
    .literal("all_success", "all_done", "at_least_one_success", "at_least_one_failed", "none_failed")
    .default("all_success")
    .describe("How the tasks in `depends_on` must end. Otherwise this task is skipped."),
  condition: TaskCondition.nullable()
    .optional()
    .describe(
      "What must also be true when the tasks in `depends_on` have ended. Otherwise this task is skipped.",
    ),
  reference: s
    .string()
    .nullable()
    .optional()
    .describe("The name of the connector, pipeline, flow or agent to run, or the alias of the automation."),
  query: s.string().nullable().optional().describe("The SQL statements of an `sql` task."),
  url: s.string().nullable().optional().describe("The URL of an `http` task."),
  script: s
    .string()
    .nullable()
    .optional()
    .describe(
      "The text that a `python` or `shell` task runs. It has no placeholders: values are variables of its environment.",
    ),
  command: s
    .list(s.string())
    .nullable()
    .optional()
    .describe(
      "The program that a `shell` task runs instead of a script, and its arguments, each as it is: no shell reads them.",
    ),
  parameters: s
    .map()
    .default({})
    .describe(
      "For a flow, connector, pipeline or automation: the parameters of its run. For an agent: the body of the request. For `sql`: the values of `:name` in the query. For `http`: `method`, `headers` and `body`. For `python` and `shell`: variables of the environment.",
    ),
  for_each: ForEach.nullable()
    .optional()
    .describe(
      "Repeats the task for each item of a list. `{{item}}` in its texts is the item, `{{item.key}}` a part of it. Null or absent: the task runs once.",
    ),
  retries: s.integer({ ge: 0, le: 100 }).default(0).describe("Number of retries after a failure."),
  retry_seconds: s.integer({ ge: 0, le: 86_400 }).default(10).describe("Pause before a retry."),
  max_retry_seconds: s
    .integer({ ge: 0, le: 86_400 })
    .nullable()
    .optional()
    .describe(
      "The longest pause: the pause is doubled before each further retry, up to this. Null or absent: it stays `retry_seconds`.",
    ),
  timeout_seconds: timeLimit().nullable().optional().describe("Time limit of one attempt."),
});
export type AutomationTask = s.Infer<typeof AutomationTask>;

export const AutomationSchedule = model("AutomationSchedule", {
  cron: s.string().describe("Five fields, or six with seconds first."),
  timezone: s.string().nullable().default("UTC").describe("An IANA time zone: `Europe/Berlin`. Null: UTC."),
});

const waits = () => ({
  wait_after_last_change_seconds: s
    .integer({ ge: 0, le: 7 * 24 * 3600 })
    .default(0)
    .describe("Seconds without a change before the automation runs."),
  min_time_between_triggers_seconds: s
    .integer({ ge: 0, le: 7 * 24 * 3600 })
    .default(0)
    .describe("Minimum seconds between two runs."),
});

export const AutomationTrigger = model("AutomationTrigger", {
  table_update: model("OnTableUpdate", {
    table_names: s
      .list(s.string())
      .describe("Names with fewer than three parts are completed from the environment."),
    condition: s
      .literal("any", "all")
      .default("any")
      .describe("Whether any or all of the tables must have changed since the last run."),
    ...waits(),
  })
    .nullable()
    .optional()
    .describe("Runs when tables have changed."),
  file_arrival: model("OnFileArrival", { path: s.string().describe("A folder, or a glob."), ...waits() })
    .nullable()
    .optional()
    .describe("Runs when files have been added or changed."),
  continuous: s.boolean().optional().describe("Starts a new run when the last one has ended."),
}).rule(({ table_update, file_arrival, continuous }) =>
  [table_update, file_arrival, continuous].filter(Boolean).length === 1
    ? undefined
    : {
        message: "exactly one of table_update, file_arrival and continuous must be set",
        expected: "one of table_update, file_arrival, continuous",
      },
);

const channels = (when: string) =>
  s
    .list(s.string())
    .default([])
    .describe(`Channels to notify ${when}: \`channel_id\`s bound in the environment of the release.`);

const AutomationNotifications = model("AutomationNotifications", {
  on_success: channels("when a run succeeds"),
  on_failure: channels("when a run fails"),
  on_recovery: channels("on the first success after a failure"),
});

const Definition = model("AutomationDefinition", {
  version: s.integer({ ge: 1, le: 1 }).default(1).describe("The version of this schema."),
  description: s.string().default("").describe("What the automation is for, in one sentence."),
  tasks: s
    .list(AutomationTask)
    .describe("The tasks. Each one runs when the tasks that it depends on have ended."),
  schedule: AutomationSchedule.nullable().optional().describe("When the automation runs."),
  trigger: AutomationTrigger.nullable()
    .optional()
    .describe("What starts the automation, instead of a schedule."),
  parameters: s
    .map()
    .default({})
    .describe("Values for `{{parameters.name}}` in tasks. The parameters of a run override them."),
  overlap: s.boolean().default(false).describe("Whether a run may start before the last one has ended."),
  max_concurrent_tasks: s
    .integer({ ge: 1, le: 1000 })
    .nullable()
    .optional()
    .describe(
      "How many tasks of a run may be in progress at the same time. Null or absent: all that are ready.",
    ),
  timeout_seconds: timeLimit().nullable().optional().describe("Time limit of a run."),
  notifications: AutomationNotifications.nullable()
    .optional()
    .describe(
      "Channels to notify of runs, in addition to those bound to the automation, which are notified of releases, failures, recoveries and pauses.",
    ),
});

/** Whether a key is a top-level key of a definition. */
export const isDefinitionKey = (key: string): boolean => Object.hasOwn(Definition.fields, key);

export const AutomationDefinition = Definition.rule(({ schedule, trigger }) =>
  schedule && trigger
    ? {
        message: "schedule and trigger cannot be combined",
        at: "trigger",
        expected: "null, because there is a schedule",
      }
    : undefined,
);
export type AutomationDefinition = s.Infer<typeof AutomationDefinition>;

export const exampleDefinition = {
  version: 1,
  description: "Refresh the orders every morning",
  tasks: [
    { name: "load", kind: "connector", reference: "orders-in", depends_on: [], parameters: {}, retries: 2 },
  ],
  schedule: { cron: "0 6 * * *", timezone: "Europe/Berlin" },
  parameters: {},
};
