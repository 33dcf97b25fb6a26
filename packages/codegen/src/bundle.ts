import type { QuartzSchedule } from "@lakehelm/schedule";
import { fileSlug } from "@lakehelm/sql/names";
import type { Artifact } from "./artifact.ts";
import type { GenerationContext } from "./generation-context.ts";
import { yamlText } from "./text/yaml.ts";

/**
 * The main file of the bundle. It depends only on the environment, so that every request for one environment writes the same
 * bytes, and all generated resources can join one bundle in any order.
 */
export function bundleFile(context: GenerationContext): Artifact {
  const target = fileSlug(context.environment);
  const content = yamlText(
    [
      "The bundle of one environment. Every file in resources/ is part of it,",
      "whichever request it was generated for.",
    ],
    {
      bundle: {
        name: `lakehelm-${target}`,
        ...(context.git && {
          git: {
            origin_url: context.git.repository,
            ...(context.git.branch && { branch: context.git.branch }),
          },
        }),
      },
      include: ["resources/*.yml"],
      targets: {
        [target]: {
          mode: context.mode,
          default: true,
          workspace: {
            ...(context.host && { host: context.host }),
            root_path: `/Workspace/Users/${ownerOf(context)}/.bundle/\${bundle.name}/\${bundle.target}`,
          },
          ...(context.runAs && { run_as: runAs(context.runAs) }),
        },
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

/** Production has one copy for all deployers, owned by `run_as` if it is set. */
const ownerOf = ({ mode, runAs }: GenerationContext) =>
  mode === "production" && runAs ? runAs : "${workspace.current_user.userName}";

const runAs = (identity: string) =>
  identity.includes("@") ? { user_name: identity } : { service_principal_name: identity };

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

interface BundleTask {
  readonly key: string;
  /** The path of the notebook's artifact. */
  readonly notebook: string;
  readonly after?: readonly string[];
}

export interface BundleJob {
  /** Unique in the bundle, and the name of the file. */
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly trigger: BundleTrigger;
  readonly tasks: readonly BundleTask[];
  readonly parameters?: readonly { readonly name: string; readonly default: string }[];
  /** Python packages that the notebooks import. */
  readonly packages?: readonly string[];
  /** A cluster of its own; without one the job runs on serverless compute. */
  readonly cluster?: Readonly<Record<string, unknown>> | undefined;
}

/** A job as a resource of the bundle. It does not include pauses, which are operation, not configuration. */
export function jobFile(job: BundleJob): Artifact {
  const content = yamlText([job.about], {
    resources: {
      jobs: {
        [job.key]: {
          name: job.name,
          ...triggerFields(job.trigger),
          max_concurrent_runs: 1,
          ...(job.parameters?.length && { parameters: job.parameters }),
          tasks: job.tasks.map((task) => ({
            task_key: task.key,
            ...(task.after && { depends_on: task.after.map((key) => ({ task_key: key })) }),
            notebook_task: { notebook_path: `../${task.notebook}` },
            ...computeOfTask(job),
          })),
          ...computeOfJob(job),
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
      return { trigger: { table_update: { table_names: tables, condition, ...waits } } };
    }
    case "file_arrival":
      return { trigger: { file_arrival: { url: trigger.url, ...trigger.waits } } };
    case "live":
      return { continuous: { task_retry_mode: "ON_FAILURE" } };
    case "manual":
      return {};
  }
}

const computeOfTask = ({ cluster, packages = [] }: BundleJob): object =>
  cluster
    ? {
        job_cluster_key: "main",
        ...(packages.length > 0 && { libraries: packages.map((name) => ({ pypi: { package: name } })) }),
      }
    : { environment_key: "default" };

const computeOfJob = ({ cluster, packages = [] }: BundleJob): object =>
  cluster
    ? { job_clusters: [{ job_cluster_key: "main", new_cluster: cluster }] }
    : {
        environments: [
          {
            environment_key: "default",
            spec: { environment_version: "4", ...(packages.length > 0 && { dependencies: packages }) },
          },
        ],
      };
