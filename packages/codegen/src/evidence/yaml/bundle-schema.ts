import { clusterShape } from "./cluster-schema.ts";
import { jobShape } from "./job-schema.ts";
import {
  among,
  anyText,
  atMostOne,
  exactlyOne,
  fields,
  flag,
  list,
  map,
  matching,
  type Of,
  text,
} from "./shape.ts";

/** The fields of bundles, jobs and pipelines that generated files use, and no others. */

const key = /^[A-Za-z_][A-Za-z0-9_-]*$/;

const runAs = fields({}, { user_name: text, service_principal_name: text }, [
  exactlyOne("user_name", "service_principal_name"),
]);

const permissions = list(
  fields(
    { level: among("CAN_VIEW", "CAN_RUN", "CAN_MANAGE", "CAN_MANAGE_RUN", "IS_OWNER") },
    { user_name: text, group_name: text, service_principal_name: text },
    [exactlyOne("user_name", "group_name", "service_principal_name")],
  ),
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
    channel: among("CURRENT", "PREVIEW"),
    edition: among("CORE", "PRO", "ADVANCED"),
    root_path: text,
    configuration: map(anyText),
    tags: map(anyText),
    clusters: list(clusterShape),
    environment: fields({ dependencies: list(text) }, {}),
    notifications: list(
      fields(
        {
          email_recipients: list(text),
          alerts: list(
            among("on-update-success", "on-update-failure", "on-update-fatal-failure", "on-flow-failure"),
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
    exactlyOne("notebook", "file", "glob"),
  ]);
}

const resources = fields({}, { jobs: map(jobShape(runAs, permissions), key), pipelines: map(pipeline, key) });

/** A file in `resources/`. */
export const resourceFile = fields({ resources }, {});

/** `databricks.yml` */
export const bundleFile = fields(
  {
    bundle: fields(
      { name: matching(/^[A-Za-z0-9_-]+$/) },
      { git: fields({ origin_url: text }, { branch: text }) },
    ),
    include: list(text),
    targets: map(
      fields(
        { mode: among("development", "production"), workspace },
        { default: flag, run_as: runAs, permissions, variables: map(anyText, key) },
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
          lookup: fields({}, { job: text, pipeline: text }, [exactlyOne("job", "pipeline")]),
        },
        [atMostOne("default", "lookup")],
      ),
      key,
    ),
    resources,
    permissions,
  },
);

export type BundleFile = Of<typeof bundleFile>;
export type Resources = Of<typeof resources>;
export type Pipeline = Of<typeof pipeline>;
