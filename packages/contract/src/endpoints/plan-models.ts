import { changeEffects, changeKinds } from "../changes/consequence.ts";
import * as s from "../schema/index.ts";
import { planStatuses } from "./lists.ts";
import { createdAt, createdBy, dateTime, nullableText, updatedAt } from "./shared.ts";

/** The kinds of resources in a plan, in the order in which a plan usually creates them. */
export const planKinds = ["connector", "pipeline", "flow", "agent", "app", "automation"] as const;
export type PlanKind = (typeof planKinds)[number];

export const maxPlanResources = 10_000;
export const maxPlanPolicies = 200;
export const maxPlanFiles = 5000;

/** The rule of findings about flows that cannot run. */
export const flowSqlRule = "lakehelm/flow-sql";
/** The rule of findings about SQL of pipelines that cannot run. */
export const pipelineSqlRule = "lakehelm/pipeline-sql";
/** The rule of findings about SQL tasks of automations that cannot run. */
export const taskSqlRule = "lakehelm/task-sql";
/** The rule of findings about exports of columns that will not exist. */
export const exportColumnsRule = "lakehelm/export-columns";
/** Rules whose findings say that a resource cannot run. */
export const cannotRunRules: readonly string[] = [
  flowSqlRule,
  pipelineSqlRule,
  taskSqlRule,
  exportColumnsRule,
];
/** The rule of findings about exports that wait for deletes which a flow never makes. */
export const flowDeletesRule = "lakehelm/flow-deletes";
/** The rule of findings about columns that a flow drops although another resource still reads them. */
export const droppedColumnsRule = "lakehelm/dropped-columns";
/**
 * The rule of findings about connections that cannot work: a field is missing or misspelled, or a secret is not stored.
 */
export const connectionRule = "lakehelm/connection";
/** The rule of findings about tables that nothing writes any more. */
export const leftTablesRule = "lakehelm/left-tables";

/** No control characters: they are invisible in file names and in columns of a list. */
const printable = /^[ -~\u00a0-\uffff]*$/;

const kind = () => s.literal(...planKinds);

export const PlanProject = s.model("PlanProject", {
  name: s
    .string({ min: 1, max: 200, pattern: printable })
    .describe("Name of the project. What it applied belongs to it: another project does not delete it."),
  commit: s
    .string({ max: 200, pattern: printable })
    .nullable()
    .optional()
    .describe("The commit that the definitions come from. It is in the events of all changes."),
  branch: s.string({ max: 200 }).nullable().optional().describe("The branch that the definitions come from."),
});
export type PlanProject = s.Infer<typeof PlanProject>;

const PlanFile = s.model("PlanFile", {
  path: s.string({ max: 1000 }).describe("Path in the project, such as `flows/revenue.yaml`."),
  line: s
    .integer({ ge: 1, cap: 2 ** 31 - 1 })
    .nullable()
    .optional()
    .describe("The line, from 1."),
});

const PlanCodeHash = s.model("PlanCodeHash", {
  path: s.string({ min: 1, max: 1000 }).describe("Path in the workspace, such as `pipelines/orders.sql`."),
  sha256: s.string({ pattern: /^[0-9a-f]{64}$/ }).describe("SHA-256 of its content in hex."),
});

export const PlanResource = s.model("PlanResource", {
  kind: kind().describe("The kind of the resource."),
  name: s
    .string({ min: 1, max: 500, pattern: printable })
    .describe(
      "Its name, as in the definition: `name` of connectors, pipelines, agents and apps, `flow_name` of flows, `alias` of automations.",
    ),
  definition: s
    .map()
    .describe(
      "The body of the request that creates it. `created_by` may be absent. A secret given as `********` keeps its stored value.",
    ),
  code: s
    .string({ min: 1, max: 200 })
    .nullable()
    .optional()
    .describe(
      "Hash of the code of an agent or app, such as `sha256:…`. Another hash than the one that was applied last is a change of `lakehelm.code`. Null or absent: it has none. The files themselves are uploaded with `PUT /api/v1/files/{path}`.",
    ),
  code_files: s
    .list(PlanCodeHash)
    .nullable()
    .optional()
    .describe(
      "The files of its code, whose hash is `code`, or `lakehelm.code` in the `configuration` of a pipeline: the first 32 hex digits of the SHA-256 of a line with the path and a line with the SHA-256 of each file, ordered. With them, `PUT /api/v1/files/{path}?plan=…` writes exactly these files where a direct write is refused; of a pipeline only those that are in `files` with the same content, because policies see them there. Null or absent: such files cannot be written there.",
    ),
  file: PlanFile.nullable().optional().describe("Where the definition is, for messages."),
});
export type PlanResource = s.Infer<typeof PlanResource>;

const level = () => s.literal("deny", "warn", "approve");

export const PlanPolicy = s.model("PlanPolicy", {
  name: s.string({ min: 1, max: 200 }).describe("Name of the rule. Unique in the plan."),
  level: level().describe(
    "What happens to a plan in which the rule finds something: `deny` refuses it, `approve` requires another admin's approval, `warn` only reports it.",
  ),
  rule: s
    .string({ min: 1, max: 10_000 })
    .describe(
      "A CEL expression over one step: true if the step violates the rule. See docs/reference/plans.md for its variables.",
    ),
  message: s
    .string({ min: 1, max: 2000 })
    .describe(
      "What is wrong and what to do. `{kind}`, `{name}`, `{action}`, `{actor}`, `{environment}` and `{project}` are replaced.",
    ),
});
export type PlanPolicy = s.Infer<typeof PlanPolicy>;

export const PlanChange = s.model("PlanChange", {
  path: s
    .string()
    .describe(
      "Where the change is, such as `target_config.connection.config.host` or `datasets[orders].primary_keys`.",
    ),
  before: s.any().describe("The live value; null: none. A secret is `********`."),
  after: s.any().describe("The desired value; null: none. A secret is `********`."),
  sensitive: s.boolean().describe("Whether the value is a secret, which is not shown."),
});
export type PlanChange = s.Infer<typeof PlanChange>;

export const PlanReference = s.model("PlanReference", {
  kind: s.literal(...planKinds, "table").describe("The kind of the resource, or `table`."),
  name: s.string().describe("Its name; of a table, the full name."),
  columns: s
    .list(s.string())
    .nullable()
    .describe("The columns of a table that the change affects; null: all, or they are not known."),
  via: s.string().describe("How the change affects it, in a sentence."),
});
export type PlanReference = s.Infer<typeof PlanReference>;

/** What a change of a definition leads to, for one table. */
export const ChangeConsequence = s.model("ChangeConsequence", {
  table: nullableText().describe(
    "Full name of the table, or of an export what it writes; null: all of the resource.",
  ),
  kind: s
    .literal(...changeKinds)
    .describe(
      "`metadata`: rows do not depend on it. `additive`: rows that are there stay valid. `breaking`: they do not, or something goes away.",
    ),
  effect: s
    .literal(...changeEffects)
    .describe(
      "What the next run does. `none`: nothing because of the change. `apply`: it applies the new settings to what it writes. `update`: it computes the new SELECT. `add_columns`, `drop_columns`: as it says. `reload`: it reads all rows of the source again. `rebuild`: it replaces the table in one commit, which then equals a fresh load. `refuse`: it fails and writes nothing until `command` has run. `create`: it writes the table for the first time. `leave`: the table stays, and is no longer written.",
    ),
  sentence: s.string().describe("The same for people, with the reason."),
  command: nullableText().describe(
    "A command that does what the next run does not do by itself; null: there is none.",
  ),
});
export type ChangeConsequence = s.Infer<typeof ChangeConsequence>;

export const PlanImpact = s.model("PlanImpact", {
  downstream: s
    .list(PlanReference)
    .describe(
      "Tables, flows, pipelines, connectors, automations, agents and apps that use what the step changes, directly or through others, by the lineage of columns, the nearest first. At most 200, and fewer in a plan with more than 100 changes.",
    ),
  downstream_total: s
    .integer()
    .describe(
      "The number of all of them. Counted up to 2,000, and less far in a plan with more than 1,000 changes.",
    ),
  running_runs: s
    .list(s.string())
    .describe("Ids of runs of the resource that are queued or running. At most 20."),
  writes: nullableText()
    .optional()
    .describe(
      "How the runs of a flow write its table: its `write_strategy`, and what that means. Null for other kinds; absent in plans of earlier versions.",
    ),
  full_refresh: s
    .list(s.string())
    .describe(
      "Tables that the next run computes or loads again: those with the effect `create`, `update`, `reload` or `rebuild`. The apply itself moves no rows.",
    ),
  consequences: s
    .list(ChangeConsequence)
    .optional()
    .describe(
      "What the next run does with each table because of the step. Absent in plans of earlier versions.",
    ),
  rows: s.integer().nullable().describe("Rows that the last successful run moved; null: not known."),
  estimated_seconds: s
    .number()
    .nullable()
    .describe("How long the last successful run took; null: not known."),
  data_lost: s.list(s.string()).describe("What is lost with the step, one sentence each. Empty: nothing."),
});
export type PlanImpact = s.Infer<typeof PlanImpact>;

export const PlanStep = s.model("PlanStep", {
  position: s.integer().describe("Its position in the order of the plan, from 1."),
  action: s
    .literal("create", "update", "replace", "delete", "none")
    .describe("`replace`: deleted and created again, because a field that never changes is different."),
  kind: kind().describe("The kind of the resource."),
  name: s.string().describe("The name of the resource."),
  resource_id: nullableText().describe("Id of the live resource; null: it does not exist yet."),
  changes: s
    .list(PlanChange)
    .describe("What differs between the live and the desired definition, field by field."),
  drift: s
    .list(PlanChange)
    .describe(
      "What differs between the definition that was last applied and the live one: somebody else changed it. Empty: nothing, or it was never applied.",
    ),
  reasons: s.list(s.string()).describe("Why the step is in the plan, and why it comes where it does."),
  depends_on: s.list(s.integer()).describe("Positions of the steps that must be done before this one."),
  impact: PlanImpact.nullable().describe("What the step affects; null without a change."),
  design_hash: nullableText().describe(
    "`sha256:` and the hash of the desired definition without secrets: equal in every environment. Null: it is deleted.",
  ),
  file: PlanFile.nullable().describe("Where the definition is; null: not given."),
  unchecked: nullableText()
    .optional()
    .describe(
      "What could not be checked before the apply, and why, such as the columns of a table that does not exist yet. Null or absent: nothing.",
    ),
  status: s
    .literal("pending", "applying", "done", "failed", "skipped")
    .describe("`skipped`: the apply stopped before it. A step without a change is `done`."),
  error: nullableText().describe("Why it failed; null: it did not."),
});
export type PlanStep = s.Infer<typeof PlanStep>;

export const PlanFinding = s.model("PlanFinding", {
  policy: s
    .string()
    .describe(
      `Name of the rule. \`${flowSqlRule}\`: the platform itself says that a flow cannot run, because a column of its SQL does not exist, for example. \`${pipelineSqlRule}\`, \`${taskSqlRule}\`, \`${exportColumnsRule}\`: the same for a pipeline, an SQL task of an automation and an export, also for one that does not change but reads what the plan changes, or that an earlier change has left behind. \`${flowDeletesRule}\`: an export deletes what its table has lost, but the flow that publishes the table never deletes. \`${droppedColumnsRule}\`: the next run of a flow drops columns that something still reads. \`${leftTablesRule}\`: tables stay that nothing writes any more when the plan is done. \`${connectionRule}\`: a connection cannot work, because a field is missing or misspelled, or a secret is not stored.`,
    ),
  level: level().describe("The level of the rule."),
  position: s
    .integer()
    .nullable()
    .describe("The step; null: the rule itself could not be evaluated, or the resource is not in the plan."),
  kind: s
    .literal(...planKinds)
    .nullable()
    .describe("The kind of the step's resource."),
  name: nullableText().describe("The name of the step's resource."),
  message: s.string().describe("The message of the rule, or why it could not be evaluated."),
});
export type PlanFinding = s.Infer<typeof PlanFinding>;

const PlanSummary = s.model("PlanSummary", {
  create: s.integer().describe("Number of resources to create."),
  update: s.integer().describe("Number of resources to update."),
  replace: s.integer().describe("Number of resources to replace."),
  delete: s.integer().describe("Number of resources to delete."),
  unchanged: s.integer().describe("Number of resources without a change."),
  drifted: s.integer().describe("Number of resources that somebody else changed since they were applied."),
  done: s.integer().describe("Number of changes that are carried out."),
  findings: s.integer().describe("Number of findings of policies."),
});

const overview = {
  id: s.string().describe("UUID of the plan."),
  hash: s
    .string()
    .describe(
      "`sha256:` and the hash of everything that the plan rests on: desired, last applied and live definitions. Apply compares it.",
    ),
  design_hash: s
    .string()
    .describe(
      "`sha256:` and the hash of all desired designs: equal for the same content in every environment.",
    ),
  environment_id: s.string().describe("Id of the environment."),
  environment: s.string().describe("Name of the environment."),
  project: PlanProject.describe("The project whose definitions these are."),
  project_name: s.string().describe("The project's name, for lists."),
  prune: s
    .boolean()
    .describe("Whether resources that the project does not have are deleted, whoever made them."),
  status: s
    .literal(...planStatuses)
    .describe(
      "`planned`: it can be applied. `needs_approval`: after an approval by another admin. `refused`: a policy denies it, or a flow cannot run. `failed`: it stopped at a step; apply it again to go on. `stale`: what it rests on has changed, make a new one.",
    ),
  status_reason: nullableText().describe("Why it has this status; null: nothing to say."),
  created_at: createdAt(),
  created_by: createdBy(),
  updated_at: updatedAt(),
  approved_by: nullableText().describe("The admin who approved it last; null: nobody."),
  approved_at: dateTime().nullable().describe("When that was; null: it was not approved."),
  approvals: s
    .list(
      s.model("PlanApproval", {
        by: s.string().describe("The admin."),
        user_id: nullableText()
          .optional()
          .describe(
            "The id of this user: the approval counts as long as the user is an admin. Null: a client or the service token.",
          ),
        at: dateTime().describe("When it was approved."),
      }),
    )
    .optional()
    .describe("All approvals so far, oldest first. Absent in plans of earlier versions."),
  applied_by: nullableText().describe("Who applied it last; null: nobody."),
  applied_at: dateTime().nullable().describe("When it was applied completely; null: it was not."),
  summary: PlanSummary.describe("How many steps of each kind it has."),
};

export const PlanOverview = s.model("PlanOverview", overview);
export type PlanOverview = s.Infer<typeof PlanOverview>;

export const Plan = s.model("Plan", {
  ...overview,
  steps: s
    .list(PlanStep)
    .describe("In the order in which they are carried out. Those without a change only if you ask for them."),
  findings: s
    .list(PlanFinding)
    .describe(
      "What policies found, at most 1,000, and what cannot run, at most 400. The summary has their number.",
    ),
});
export type Plan = s.Infer<typeof Plan>;

export const PlanCodeFile = s.model("PlanCodeFile", {
  path: s.string({ min: 1, max: 1000 }).describe("Path in the workspace, such as `pipelines/orders.sql`."),
  text: s.string({ max: 1_048_576 }).describe("Its text."),
});
export type PlanCodeFile = s.Infer<typeof PlanCodeFile>;

export const PlanRequest = s.model("PlanRequest", {
  environment: s.string({ min: 1 }).describe("Id or name of the environment."),
  project: PlanProject.describe("The project whose definitions these are."),
  resources: s
    .list(PlanResource)
    .default([])
    .describe("The desired resources of the project in this environment: all of them. At most 10,000."),
  source_plan: s
    .string()
    .nullable()
    .optional()
    .describe(
      "Id of an applied plan, usually of another environment: its resources are planned here, with the same designs. Excludes `resources`.",
    ),
  policies: s.list(PlanPolicy).default([]).describe("Rules that are checked on the plan. At most 200."),
  files: s
    .list(PlanCodeFile)
    .default([])
    .describe(
      "SQL of pipelines as it will be, so that the plan can check it. The plan does not write these files: do that before you apply it. A file that is not here is read from the workspace. At most 5,000.",
    ),
  prune: s
    .boolean()
    .default(false)
    .describe(
      "True also deletes resources of the environment that no project has applied. Without it, only resources that this project applied before and no longer has are deleted.",
    ),
});
export type PlanRequest = s.Infer<typeof PlanRequest>;
