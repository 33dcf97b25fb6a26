import type { QuartzSchedule } from "@lakehelm/schedule";
import { fileSlug, tableSlug } from "@lakehelm/sql/names";
import type { Artifact } from "./artifact.ts";
import type { GenerationContext } from "./generation-context.ts";
import { bundleNames } from "./name-variables.ts";
import { yamlText } from "./text/yaml.ts";

/**
 * The main file of the bundle. It depends only on the environment, so every request for one environment produces the
 * same bytes, and all generated resources can join one bundle in any order.
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

/** The value of a job parameter: the connection with this name in the deployed target. */
export const connectionOfTarget = (name: string): string => `\${var.${connectionVariable}}_${name}`;

/** The value of a job parameter: whether the job may write outside the lakehouse. */
export const sendingOfTarget = `\${var.${sendingVariable}}`;

/**
 * Prefix for the names of the environment's connections, because they belong to the metastore, which environments
 * share.
 */
export const connectionPrefix = ({ environment }: Pick<GenerationContext, "environment">): string =>
  `lakehelm_${tableSlug(environment)}`;

/**
 * Like `connectionPrefix`, for the bundle's other target. The two underscores keep it distinct from every connector's
 * name.
 */
export const otherConnectionPrefix = (context: Pick<GenerationContext, "environment" | "mode">): string =>
  `${connectionPrefix(context)}__${otherTarget(context)}`;

/** The target that does not stand for the environment. */
export const otherTarget = ({ mode }: Pick<GenerationContext, "mode">): "dev" | "prod" =>
  mode === "production" ? "dev" : "prod";

/**
 * One of the bundle's targets. The environment's settings apply to its own target. The other target has its own
 * catalog, so that a developer's copy never writes to the tables of production, its own connections, and runs as the
 * user who deploys it. It sends nothing, because requests name the systems of the environment.
 */
function target(mode: GenerationContext["mode"], context: GenerationContext, tag: string): object {
  const isOwn = mode === context.mode;
  const runAs = isOwn ? context.runAs : null;
  // In production all deployers share one copy, which `run_as` owns if it is set.
  const owner = mode === "production" && runAs ? runAs : "${workspace.current_user.userName}";
  const isProduction = isOwn && mode === "production";
  const variables = {
    ...(!isOwn && {
      catalog: context.otherCatalog,
      [connectionVariable]: otherConnectionPrefix(context),
      [sendingVariable]: "dry_run",
    }),
    // A failure of a developer's copy notifies the developer.
    ...(mode === "development" &&
      context.notificationEmail && { [notificationVariable]: "${workspace.current_user.userName}" }),
  };
  return {
    mode,
    ...(mode === "development" && { default: true }),
    // Databricks then refuses to deploy another branch to production. Developers can deploy any branch.
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

/** A developer's copy has the developer's name in its own, starts only by hand, and never runs twice at once. */
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
  /** The path of the notebook artifact. */
  readonly notebook: string;
  readonly after?: readonly string[];
  /** The task only checks data, so a retry would fail again. */
  readonly isCheck?: true;
}

export interface BundleJob {
  /** The key is unique in the bundle, and is the name of the file. */
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly trigger: BundleTrigger;
  readonly tasks: readonly BundleTask[];
  readonly parameters?: readonly JobParameter[];
  readonly kind: "flow" | "ingestion" | "reverse_etl";
  /** The user who requested the job, if known. */
  readonly owner?: string | undefined;
  /** The job's own cluster; without one, the job runs on serverless compute. */
  readonly cluster?: Readonly<Record<string, unknown>> | undefined;
}

/** Six hours: a run that takes longer is considered to hang. */
const longestRunSeconds = 6 * 3600;

/** A job as a resource of the bundle, without pauses, because they belong to operation, not configuration. */
export function jobFile(job: BundleJob, context: Pick<GenerationContext, "notificationEmail">): Artifact {
  // A continuous job never ends, restarts failed runs itself, and never waits for another run.
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
          // No user waits for a scheduled run, so it may start some minutes later, at a lower price.
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

/**
 * Every task is safe to retry, but a check would fail again. Without `disable_auto_optimization`, serverless compute
 * would retry a check anyway.
 */
const retryFields = ({ isCheck }: BundleTask): object =>
  isCheck
    ? { max_retries: 0, disable_auto_optimization: true }
    : { max_retries: 2, min_retry_interval_millis: 60_000 };

/**
 * Only letters, digits and the characters of names and addresses: tags accept no others, and a bundle replaces nothing
 * in them.
 */
const isTagValue = (text: string): boolean =>
  /^[A-Za-z0-9][\w.@+ -]{0,199}$/.test(text) && text.trim() === text;
