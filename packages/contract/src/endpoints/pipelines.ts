import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { listFields, listQuery, nextCursor } from "./lists.ts";
import {
  Done,
  dateTime,
  environmentFilter,
  environmentHeader,
  exampleIds,
  exampleTime,
  optionalText,
  total,
} from "./shared.ts";

const texts = () => s.map(s.string()).optional();

const libraryKinds = ["notebook", "file", "jar", "maven", "pypi", "whl"] as const;

const PipelineLibrary = s
  .model("PipelineLibrary", {
    notebook: texts().describe('A SQL notebook in source format: `{"path": …}`. The path needs no `.sql`.'),
    file: texts().describe('A SQL file: `{"path": …}`.'),
    jar: optionalText().describe("URI of a JAR, for platforms with Spark."),
    maven: texts().describe("Maven `coordinates`, for platforms with Spark."),
    pypi: texts().describe("A Python `package`, for platforms with Spark."),
    whl: optionalText().describe("URI of a Python wheel, for platforms with Spark."),
  })
  .rule((library) =>
    libraryKinds.filter((kind) => library[kind] !== undefined).length === 1
      ? undefined
      : "exactly one library kind must be set",
  );

const PipelineCluster = s.model("PipelineCluster", {
  label: optionalText().describe("What the cluster is for: `default` or `maintenance`."),
  node_type_id: optionalText().describe("Machine type of the workers."),
  driver_node_type_id: optionalText().describe("Machine type of the driver. Default: that of the workers."),
  num_workers: s.integer().optional().describe("Fixed number of workers."),
  autoscale: s
    .map(s.integer())
    .optional()
    .describe("Limits of a variable number of workers: `min_workers`, `max_workers`."),
  custom_tags: texts().describe("Tags of the cluster's machines."),
  spark_conf: texts().describe("Spark settings."),
  spark_env_vars: texts().describe("Environment variables of Spark's processes."),
  enable_local_disk_encryption: s.boolean().optional().describe("Whether local disks are encrypted."),
  instance_pool_id: optionalText().describe("The pool that machines are taken from."),
});

const locations = () => ({
  storage: optionalText().describe(
    "Where a platform stores tables outside its catalog. The embedded platform does not use it.",
  ),
  target: optionalText().describe("Older name for `schema`."),
  schema: optionalText().describe(
    "Schema of table names that have none. Default: the environment's `configuration.schema`.",
  ),
  catalog: optionalText().describe(
    "Catalog of table names that have none. Default: the environment's `configuration.catalog`.",
  ),
  root_path: optionalText().describe(
    "The folder that relative paths of `libraries` start in. A leading slash means the root of the workspace.",
  ),
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
    libraries: s.list(PipelineLibrary).describe("The code: one entry for each file or notebook."),
    clusters: s
      .list(PipelineCluster)
      .nullable()
      .optional()
      .describe(
        "Clusters for platforms that have them; null: the platform's default. Not with `serverless`.",
      ),
    notifications: s
      .list(s.map())
      .nullable()
      .optional()
      .describe(
        "Whom to tell of updates: `channels` (bound `channel_id`s) or `email_recipients`, and `alerts` (`on-update-failure`, `on-update-success`).",
      ),
    id: optionalText().describe("The id to use. Returns 409 if it is taken."),
    ...locations(),
    configuration: configuration()
      .default({})
      .describe(
        "Values for the SQL, which names a key in braces after a dollar sign. Keys that start with `platform.` are reserved.",
      ),
    continuous: s
      .boolean()
      .default(false)
      .describe("Whether the next update starts when the last one has ended."),
    development: s
      .boolean()
      .default(false)
      .describe("Whether it runs in the platform's development mode. The embedded platform has none."),
    photon: s.boolean().default(false).describe("Whether to use Photon, on platforms that have it."),
    serverless: s
      .boolean()
      .default(false)
      .describe("Whether to use serverless compute. Not with `clusters`."),
    channel: s
      .string()
      .default("CURRENT")
      .describe("Release channel of the platform's runtime, such as `CURRENT`."),
    edition: s
      .string()
      .default("ADVANCED")
      .describe("Edition of the platform's pipelines, such as `ADVANCED`."),
    paused: s
      .extension(s.boolean())
      .optional()
      .describe("Extension: whether a continuous pipeline starts stopped. Start an update to let it run."),
  })
  .rule((spec) =>
    spec.serverless && (spec.clusters?.length ?? 0) > 0
      ? "serverless and clusters cannot be combined"
      : undefined,
  );
export type PipelineSpec = s.Infer<typeof PipelineSpec>;

/** An extension: every field is optional and replaces the stored value. */
export const PipelineUpdateRequest = s.model("PipelineUpdateRequest", {
  name: s.string({ min: 1 }).optional().describe("Unique in its environment."),
  libraries: s
    .list(PipelineLibrary)
    .optional()
    .describe("Replaces all code: one entry for each file or notebook."),
  clusters: s
    .list(PipelineCluster)
    .nullable()
    .optional()
    .describe("Replaces all clusters; null: the platform's default. Not with `serverless`."),
  notifications: s
    .list(s.map())
    .nullable()
    .optional()
    .describe("Replaces whom to tell of updates; null: nobody."),
  ...locations(),
  configuration: configuration()
    .optional()
    .describe(
      "Replaces all values for the SQL, which names a key in braces after a dollar sign. Keys that start with `platform.` are reserved.",
    ),
  continuous: s.boolean().optional().describe("Whether the next update starts when the last one has ended."),
  development: s
    .boolean()
    .optional()
    .describe("Whether it runs in the platform's development mode. The embedded platform has none."),
  photon: s.boolean().optional().describe("Whether to use Photon, on platforms that have it."),
  serverless: s.boolean().optional().describe("Whether to use serverless compute. Not with `clusters`."),
  channel: optionalText().describe("Release channel of the platform's runtime, such as `CURRENT`."),
  edition: optionalText().describe("Edition of the platform's pipelines, such as `ADVANCED`."),
});
export type PipelineUpdateRequest = s.Infer<typeof PipelineUpdateRequest>;

export const PipelineHealthItem = s.model("PipelineHealthItem", {
  status: s
    .literal("UNKNOWN", "HEALTHY", "UNHEALTHY")
    .describe(
      "By the last update that counts. `UNKNOWN`: none has ended yet. Validations and stopped updates do not count.",
    ),
  last_update_time: dateTime().nullable().describe("When the last update ended; null: none has."),
  last_success_time: dateTime().nullable().describe("When an update last succeeded; null: none has."),
  last_failure_time: dateTime().nullable().describe("When an update last failed; null: none has."),
  consecutive_failures: s.integer().describe("Number of failures since the last success."),
  is_stale: s
    .boolean()
    .describe(
      "Whether the last success is older than twice the usual interval: the median between the last ten successes.",
    ),
});
export type PipelineHealthItem = s.Infer<typeof PipelineHealthItem>;

export const PipelineResponse = s.model(
  "PipelineResponse",
  {
    pipeline_id: s.string().describe("The `id` of the specification, or a UUID."),
    name: s.string().describe("Unique in its environment."),
    platform_managed: s.boolean().describe("Always true: Lakehelm manages its job on the platform."),
    health: PipelineHealthItem.nullable().describe("Computed from the finished updates when it is read."),
    latest_updates: s.list(s.map()).nullable().describe("The last five updates, newest first."),
    stopped: s
      .model("PipelineStop", {
        by: s.string().describe("Who stopped it."),
        at: dateTime().describe("When it was stopped."),
        reason: s.string().nullable().describe("Why it was stopped; null: nobody said."),
      })
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
  changes: "definition",
  path: "/api/v1/pipelines/",
  scope: "header",
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
  scope: "list",
  summary: "List the pipelines",
  access: "viewer",
  headers: environmentFilter,
  query: listQuery(listFields.pipelines),
  response: s.model("PipelineList", {
    pipelines: s.list(PipelineResponse).describe("The pipelines on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404, 409],
  example: { response: { pipelines: [pipeline], total: 1 } },
});

export const getPipeline = endpoint({
  ...shared,
  method: "GET",
  path: one,
  scope: "pipeline",
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
  changes: "definition",
  path: one,
  scope: "pipeline",
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
  changes: "definition",
  path: one,
  scope: "pipeline",
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
