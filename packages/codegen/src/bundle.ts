import type { QuartzSchedule } from "@lakehelm/schedule";
import { fileSlug, tableSlug } from "@lakehelm/sql/names";
import type { Artifact } from "./artifact.ts";
import type { GenerationContext } from "./generation-context.ts";
import { bundleNames } from "./name-variables.ts";
import { yamlText } from "./text/yaml.ts";

/**
 * The main file of the bundle. It depends only on the environment, so that every request for one environment writes the same
 * bytes, and all generated resources can join one bundle in any order.
 */
export function bundleFile(context: GenerationContext): Artifact {
  const environment = fileSlug(context.environment);
  const content = yamlText(
    [
      "The bundle of one environment. Every file in resources/ is part of it,",
      "whichever request it was generated for.",
      "Your own copy: databricks bundle deploy. Production: databricks bundle deploy -t prod",
    ],
    {
      bundle: {
        name: `lakehelm-${environment}`,
        ...(context.git && { git: { origin_url: context.git.repository } }),
      },
      include: ["resources/*.yml"],
      variables: {
        catalog: { description: "The catalog of the tables.", default: context.catalog },
        schema: {
          description: "The schema of tables that are named without one, and of the connectors' own tables.",
          default: context.schema,
        },
        [connectionVariable]: {
          description: "Begins the names of the Unity Catalog connections.",
          default: connectionPrefix(context),
        },
        [sendingVariable]: {
          description: "Whether reverse ETL writes to its targets (send) or only reads (dry_run).",
          default: "send",
        },
        ...(context.notificationEmail && {
          [notificationVariable]: {
            description: "Who is told when a job fails.",
            default: context.notificationEmail,
          },
        }),
      },
      targets: {
        dev: target("development", context, context.mode === "development" ? environment : "dev"),
        prod: target("production", context, context.mode === "production" ? environment : "prod"),
      },
    },
  );
  return {
    path: "databricks.yml",
    content,
    fileType: "yaml",
    about: "The bundle that all generated jobs belong to.",
  };
}

const notificationVariable = "notification_email";
const connectionVariable = "connection_prefix";
const sendingVariable = "reverse_etl_mode";

/** The value of a parameter of a job: the connection with this name in the target that is deployed. */
export const connectionOfTarget = (name: string): string => `\${var.${connectionVariable}}_${name}`;

/** The value of a parameter of a job: whether it may write outside the lakehouse. */
export const sendingOfTarget = `\${var.${sendingVariable}}`;

/** Begins the names of the environment's connections: they belong to the metastore, which environments share. */
export const connectionPrefix = ({ environment }: Pick<GenerationContext, "environment">): string =>
  `lakehelm_${tableSlug(environment)}`;

/** The same for the bundle's other target. Two underscores, so that no connector's name can make them equal. */
export const otherConnectionPrefix = (context: Pick<GenerationContext, "environment" | "mode">): string =>
  `${connectionPrefix(context)}__${otherTarget(context)}`;

/** The target that is not the environment. */
export const otherTarget = ({ mode }: Pick<GenerationContext, "mode">): "dev" | "prod" =>
  mode === "production" ? "dev" : "prod";

/**
 * One of the bundle's targets. What is known of the environment holds for its own target. The other one has its own catalog, so that
 * a developer's copy never writes to the tables of production, its own connections, and runs as whoever deploys it. It sends nothing:
 * requests name the systems of the environment.
 */
function target(mode: GenerationContext["mode"], context: GenerationContext, tag: string): object {
  const isOwn = mode === context.mode;
  const runAs = isOwn ? context.runAs : null;
  // Production has one copy for all deployers, owned by `run_as` if it is set.
  const owner = mode === "production" && runAs ? runAs : "${workspace.current_user.userName}";
  const isProduction = isOwn && mode === "production";
  const variables = {
    ...(!isOwn && {
      catalog: context.otherCatalog,
      [connectionVariable]: otherConnectionPrefix(context),
      [sendingVariable]: "dry_run",
    }),
    // A failure of a developer's copy concerns the developer.
    ...(mode === "development" &&
      context.notificationEmail && { [notificationVariable]: "${workspace.current_user.userName}" }),
  };
  return {
    mode,
    ...(mode === "development" && { default: true }),
    // Databricks refuses to deploy another branch. Developers deploy any.
    ...(isProduction && context.git?.branch && { git: { branch: context.git.branch } }),
    workspace: {
      ...(context.host && { host: context.host }),
      root_path: `/Workspace/Users/${owner}/.bundle/\${bundle.name}/\${bundle.target}`,
    },
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(runAs && { run_as: identity(runAs) }),
    ...(isProduction &&
      context.ownerGroup && {
        permissions: [
          { level: "CAN_MANAGE", group_name: context.ownerGroup },
          ...(runAs ? [{ level: "CAN_MANAGE", ...identity(runAs) }] : []),
        ],
      }),
    presets: {
      ...(mode === "development" && developmentPresets),
      tags: { environment: tag, managed_by: "lakehelm" },
    },
  };
}

/** A developer's copy is theirs by name, starts only by hand, and never twice at once. */
export const developmentPresets = {
  name_prefix: "[dev ${workspace.current_user.short_name}] ",
  trigger_pause_status: "PAUSED",
  jobs_max_concurrent_runs: 1,
  pipelines_development: true,
};

const identity = (runAs: string) =>
  runAs.includes("@") ? { user_name: runAs } : { service_principal_name: runAs };

export type BundleTrigger =
  | { readonly kind: "schedule"; readonly schedule: QuartzSchedule }
  | {
      readonly kind: "table_update";
      readonly tables: readonly string[];
      readonly condition?: string;
      readonly waits?: TriggerDelays;
    }
  | { readonly kind: "file_arrival"; readonly url: string; readonly waits?: TriggerDelays }
  | { readonly kind: "live" }
  | { readonly kind: "manual" };

interface TriggerDelays {
  readonly min_time_between_triggers_seconds?: number;
  readonly wait_after_last_change_seconds?: number;
}

export interface JobParameter {
  readonly name: string;
  readonly default: string;
}

interface BundleTask {
  readonly key: string;
  /** The path of the notebook's artifact. */
  readonly notebook: string;
  readonly after?: readonly string[];
  /** It fails again when it is repeated, because it only looks at data. */
  readonly isCheck?: true;
}

export interface BundleJob {
  /** Unique in the bundle, and the name of the file. */
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly trigger: BundleTrigger;
  readonly tasks: readonly BundleTask[];
  readonly parameters?: readonly JobParameter[];
  readonly kind: "flow" | "ingestion" | "reverse_etl";
  /** Who requested it, if known. */
  readonly owner?: string | undefined;
  /** A cluster of its own; without one the job runs on serverless compute. */
  readonly cluster?: Readonly<Record<string, unknown>> | undefined;
}

/** Six hours: a run that takes longer hangs. */
const longestRunSeconds = 6 * 3600;

/** A job as a resource of the bundle. It does not include pauses, which are operation, not configuration. */
export function jobFile(job: BundleJob, context: Pick<GenerationContext, "notificationEmail">): Artifact {
  // A continuous job runs without end, restarts failed runs itself, and never waits for another run.
  const isLive = job.trigger.kind === "live";
  const owner = job.owner !== undefined && isTagValue(job.owner) ? job.owner : undefined;
  const informed = context.notificationEmail
    ? `\${var.${notificationVariable}}`
    : owner?.includes("@")
      ? owner
      : undefined;
  const content = yamlText([], {
    resources: {
      jobs: {
        [job.key]: {
          name: job.name,
          description: job.about,
          tags: { kind: job.kind, ...(owner && { owner }) },
          ...triggerFields(job.trigger),
          max_concurrent_runs: 1,
          ...(!isLive && { queue: { enabled: true }, timeout_seconds: longestRunSeconds }),
          // Nobody waits for a schedule: it may start some minutes later, for less money.
          ...(job.trigger.kind === "schedule" && !job.cluster && { performance_target: "STANDARD" }),
          ...(informed && { email_notifications: { on_failure: [informed] } }),
          ...(job.parameters?.length && { parameters: job.parameters }),
          tasks: job.tasks.map((task) => ({
            task_key: task.key,
            ...(task.after && { depends_on: task.after.map((key) => ({ task_key: key })) }),
            notebook_task: { notebook_path: `../${task.notebook}` },
            ...(job.cluster && { job_cluster_key: "main" }),
            ...(!isLive && retryFields(task)),
          })),
          ...(job.cluster && { job_clusters: [{ job_cluster_key: "main", new_cluster: job.cluster }] }),
        },
      },
    },
  });
  const about = job.about;
  const artifact: Artifact = { path: `resources/${job.key}.job.yml`, content, fileType: "yaml", about };
  return job.trigger.kind === "schedule" ? { ...artifact, schedule: job.trigger.schedule } : artifact;
}

export function triggerFields(trigger: BundleTrigger): object {
  switch (trigger.kind) {
    case "schedule": {
      const { quartz, timezone } = trigger.schedule;
      return { schedule: { quartz_cron_expression: quartz, timezone_id: timezone } };
    }
    case "table_update": {
      const { tables, condition = "ANY_UPDATED", waits } = trigger;
      return { trigger: { table_update: { table_names: tables.map(bundleNames), condition, ...waits } } };
    }
    case "file_arrival":
      return { trigger: { file_arrival: { url: trigger.url, ...trigger.waits } } };
    case "live":
      return { continuous: { task_retry_mode: "ON_FAILURE" } };
    case "manual":
      return {};
  }
}

/** Every run can be repeated. Serverless compute would also repeat a task that has no retries. */
const retryFields = ({ isCheck }: BundleTask): object =>
  isCheck
    ? { max_retries: 0, disable_auto_optimization: true }
    : { max_retries: 2, min_retry_interval_millis: 60_000 };

/** Letters, digits and the signs of names and addresses: a tag takes no others, and a bundle replaces nothing in them. */
const isTagValue = (text: string): boolean =>
  /^[A-Za-z0-9][\w.@+ -]{0,199}$/.test(text) && text.trim() === text;
