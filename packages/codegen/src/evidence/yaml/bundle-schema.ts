import { atMostOneOf, exactlyOneOf, type Infer, literal } from "@lakehelm/contract/schema";
import { clusterSchema } from "./cluster-schema.ts";
import { jobSchema } from "./job-schema.ts";
import { anyText, fields, flag, list, map, matching, text, whole } from "./schema-fields.ts";

/** Only the fields of bundles, jobs and pipelines that generated files use. */

const key = /^[A-Za-z_][A-Za-z0-9_-]*$/;

const runAs = fields({}, { user_name: text, service_principal_name: text }, [
  exactlyOneOf("user_name", "service_principal_name"),
]);

const permissions = list(
  fields(
    { level: literal("CAN_VIEW", "CAN_RUN", "CAN_MANAGE", "CAN_MANAGE_RUN", "IS_OWNER") },
    { user_name: text, group_name: text, service_principal_name: text },
    [exactlyOneOf("user_name", "group_name", "service_principal_name")],
  ),
);

/** Presets for every resource of a target. */
const presets = fields(
  {},
  {
    name_prefix: text,
    trigger_pause_status: literal("PAUSED", "UNPAUSED"),
    jobs_max_concurrent_runs: whole(1),
    pipelines_development: flag,
    tags: map(anyText),
  },
);

const workspace = fields({}, { host: matching(/^https:\/\/\S+$/), root_path: text });

const pathOf = fields({ path: text }, {});

const pipeline = fields(
  { name: text, libraries: list(pipelineLibrary()) },
  {
    catalog: text,
    schema: text,
    serverless: flag,
    continuous: flag,
    development: flag,
    photon: flag,
    channel: literal("CURRENT", "PREVIEW"),
    edition: literal("CORE", "PRO", "ADVANCED"),
    root_path: text,
    configuration: map(anyText),
    tags: map(anyText),
    clusters: list(clusterSchema),
    environment: fields({ dependencies: list(text) }, {}),
    notifications: list(
      fields(
        {
          email_recipients: list(text),
          alerts: list(
            literal("on-update-success", "on-update-failure", "on-update-fatal-failure", "on-flow-failure"),
          ),
        },
        {},
      ),
    ),
    run_as: runAs,
    permissions,
  },
);

function pipelineLibrary() {
  return fields({}, { notebook: pathOf, file: pathOf, glob: fields({ include: text }, {}) }, [
    exactlyOneOf("notebook", "file", "glob"),
  ]);
}

const resources = fields(
  {},
  { jobs: map(jobSchema(runAs, permissions), key), pipelines: map(pipeline, key) },
);

/** A file in `resources/`. */
export const resourceFile = fields({ resources }, {});

/** `databricks.yml` */
export const bundleFile = fields(
  {
    bundle: fields({ name: matching(/^[A-Za-z0-9_-]+$/) }, { git: fields({ origin_url: text }, {}) }),
    include: list(text),
    targets: map(
      fields(
        { mode: literal("development", "production"), workspace },
        {
          default: flag,
          git: fields({ branch: text }, {}),
          run_as: runAs,
          permissions,
          presets,
          variables: map(anyText, key),
        },
      ),
      /^[A-Za-z0-9_][A-Za-z0-9_-]*$/,
    ),
  },
  {
    variables: map(
      fields(
        {},
        {
          description: text,
          default: anyText,
          lookup: fields({}, { job: text, pipeline: text }, [exactlyOneOf("job", "pipeline")]),
        },
        [atMostOneOf("default", "lookup")],
      ),
      key,
    ),
    resources,
    permissions,
  },
);

export type BundleFile = Infer<typeof bundleFile>;
export type Resources = Infer<typeof resources>;
export type PipelineConfig = Infer<typeof pipeline>;
