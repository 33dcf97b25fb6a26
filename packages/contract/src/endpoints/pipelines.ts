import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import {
  Done,
  dateTime,
  environmentFilter,
  environmentHeader,
  exampleIds,
  exampleTime,
  optionalText,
  paging,
} from "./shared.ts";

const texts = () => s.map(s.string()).optional();

const libraryKinds = ["notebook", "file", "jar", "maven", "pypi", "whl"] as const;

const PipelineLibrary = s
  .model("PipelineLibrary", {
    notebook: texts(),
    file: texts(),
    jar: optionalText(),
    maven: texts(),
    pypi: texts(),
    whl: optionalText(),
  })
  .rule((library) =>
    libraryKinds.filter((kind) => library[kind] !== undefined).length === 1
      ? undefined
      : "exactly one library kind must be set",
  );

const PipelineCluster = s.model("PipelineCluster", {
  label: optionalText(),
  node_type_id: optionalText(),
  driver_node_type_id: optionalText(),
  num_workers: s.integer().optional(),
  autoscale: s.map(s.integer()).optional(),
  custom_tags: texts(),
  spark_conf: texts(),
  spark_env_vars: texts(),
  enable_local_disk_encryption: s.boolean().optional(),
  instance_pool_id: optionalText(),
});

const configuration = () =>
  s
    .map(s.string())
    .rule((map) =>
      Object.keys(map).some((key) => key.startsWith("platform."))
        ? "configuration keys starting with 'platform.' are reserved"
        : undefined,
    );

export const PipelineSpec = s
  .model("PipelineSpec", {
    name: s.string({ min: 1 }).describe("Unique in its environment."),
    libraries: s.list(PipelineLibrary),
    clusters: s.list(PipelineCluster).nullable().optional(),
    notifications: s.list(s.map()).nullable().optional(),
    id: optionalText().describe("The id to use. Returns 409 if it is taken."),
    storage: optionalText(),
    target: optionalText(),
    schema: optionalText(),
    catalog: optionalText(),
    root_path: optionalText(),
    configuration: configuration().default({}),
    continuous: s.boolean().default(false),
    development: s.boolean().default(false),
    photon: s.boolean().default(false),
    serverless: s.boolean().default(false),
    channel: s.string().default("CURRENT"),
    edition: s.string().default("ADVANCED"),
  })
  .rule((spec) =>
    spec.serverless && (spec.clusters?.length ?? 0) > 0
      ? "serverless and clusters cannot be combined"
      : undefined,
  );
export type PipelineSpec = s.Infer<typeof PipelineSpec>;

/** An extension: every field is optional and replaces the stored value. */
export const PipelineUpdateRequest = s.model("PipelineUpdateRequest", {
  name: s.string({ min: 1 }).optional(),
  libraries: s.list(PipelineLibrary).optional(),
  clusters: s.list(PipelineCluster).nullable().optional(),
  notifications: s.list(s.map()).nullable().optional(),
  storage: optionalText(),
  target: optionalText(),
  schema: optionalText(),
  catalog: optionalText(),
  root_path: optionalText(),
  configuration: configuration().optional(),
  continuous: s.boolean().optional(),
  development: s.boolean().optional(),
  photon: s.boolean().optional(),
  serverless: s.boolean().optional(),
  channel: optionalText(),
  edition: optionalText(),
});
export type PipelineUpdateRequest = s.Infer<typeof PipelineUpdateRequest>;

export const PipelineHealthItem = s.model("PipelineHealthItem", {
  status: s.literal("UNKNOWN", "HEALTHY", "UNHEALTHY"),
  last_update_time: dateTime().nullable(),
  last_success_time: dateTime().nullable(),
  last_failure_time: dateTime().nullable(),
  consecutive_failures: s.integer(),
  is_stale: s.boolean(),
});
export type PipelineHealthItem = s.Infer<typeof PipelineHealthItem>;

export const PipelineResponse = s.model(
  "PipelineResponse",
  {
    pipeline_id: s.string(),
    name: s.string(),
    platform_managed: s.boolean(),
    health: PipelineHealthItem.nullable(),
    latest_updates: s.list(s.map()).nullable().describe("The last five updates, newest first."),
    stopped: s
      .model("PipelineStop", { by: s.string(), at: dateTime(), reason: s.string().nullable() })
      .nullable()
      .optional()
      .describe("Extension: who stopped a continuous pipeline; null: it is not stopped."),
  },
  { additional: true, description: "The fields of the specification are returned beside these." },
);
export type PipelineResponse = s.Infer<typeof PipelineResponse>;

const pipeline = {
  pipeline_id: exampleIds.pipeline,
  name: "orders",
  platform_managed: true,
  health: {
    status: "UNKNOWN",
    last_update_time: null,
    last_success_time: null,
    last_failure_time: null,
    consecutive_failures: 0,
    is_stale: false,
  },
  latest_updates: [],
  stopped: null,
  environment_id: exampleIds.environment,
  libraries: [{ file: { path: "pipelines/orders.sql" } }],
  configuration: {},
  tags: { "platform.environment": "local", "platform.managed_by": "lakehelm" },
  continuous: false,
  development: false,
  photon: false,
  serverless: true,
  channel: "CURRENT",
  edition: "ADVANCED",
  created_at: exampleTime,
  updated_at: exampleTime,
  created_by: "internal-service",
  updated_by: null,
} as const;

const shared = { tag: "Pipelines" } as const;
const one = "/api/v1/pipelines/{pipeline_id}";

export const createPipeline = endpoint({
  ...shared,
  number: 13,
  method: "POST",
  path: "/api/v1/pipelines/",
  summary: "Create a pipeline",
  description:
    "The platform's own tags have the prefix `platform.`, so that they never collide with `configuration`.",
  access: "operator",
  headers: environmentHeader,
  body: PipelineSpec,
  response: PipelineResponse,
  errors: [404, 409],
  creates: true,
  versioned: true,
  example: {
    body: { name: "orders", libraries: [{ file: { path: "pipelines/orders.sql" } }], serverless: true },
    response: pipeline,
  },
});

export const listPipelines = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/pipelines/",
  summary: "List the pipelines",
  access: "viewer",
  headers: environmentFilter,
  query: paging,
  response: s.model("PipelineList", { pipelines: s.list(PipelineResponse), total: s.integer() }),
  errors: [404, 409],
  example: { response: { pipelines: [pipeline], total: 1 } },
});

export const getPipeline = endpoint({
  ...shared,
  method: "GET",
  path: one,
  summary: "Read a pipeline",
  access: "viewer",
  response: PipelineResponse,
  errors: [404],
  versioned: true,
  example: { response: pipeline },
});

export const updatePipeline = endpoint({
  ...shared,
  method: "PATCH",
  path: one,
  summary: "Change a pipeline",
  access: "operator",
  body: PipelineUpdateRequest,
  response: PipelineResponse,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: { continuous: true }, response: { ...pipeline, continuous: true } },
});

export const deletePipeline = endpoint({
  ...shared,
  method: "DELETE",
  path: one,
  summary: "Delete a pipeline",
  description:
    "Stops its updates. Keeps its tables and their rows as plain tables: others may write to them, and another pipeline may declare them after they are dropped.",
  access: "operator",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  needsData: true,
  example: { response: { success: true, message: "Pipeline orders deleted." } },
});
