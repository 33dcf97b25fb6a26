import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { ConsumptionFlowInput, generateConsumption } from "./codegen.ts";
import { PauseRequest } from "./connectors.ts";
import { listFields, listQuery, nextCursor } from "./lists.ts";
import {
  createdAt,
  createdBy,
  Done,
  environmentFilter,
  environmentHeader,
  environmentId,
  exampleIds,
  exampleTime,
  startsPaused,
  total,
  updatedAt,
  updatedBy,
} from "./shared.ts";

export const Flow = s.model("Flow", {
  id: s.string().describe("UUID of the flow."),
  environment_id: environmentId(),
  name: s.string().describe("The definition's `flow_name`."),
  definition: ConsumptionFlowInput.describe(
    "What it publishes, and when: the body that created or last replaced it.",
  ),
  status: s
    .literal("created", "active", "warning", "failing", "paused", "failed")
    .describe(
      "`active`: its job is installed. `warning`: so it is, and its last run succeeded, but a check of the severity `warn` failed. `failing`: its last run failed, or a check of the severity `fail` did. `paused`: it does not fire. `created`: the platform does not run flows. `failed`: the platform refused it, for example because its warehouse cannot run the SQL.",
    ),
  workflow_id: s.string().nullable().describe("The job's id on the platform."),
  error_message: s
    .string()
    .nullable()
    .describe("Why it is `created`, `warning`, `failing` or `failed`; null: no error."),
  created_at: createdAt(),
  updated_at: updatedAt(),
  created_by: createdBy(),
  updated_by: updatedBy(),
});
export type Flow = s.Infer<typeof Flow>;

const FlowCreateRequest = s.model("FlowCreateRequest", {
  ...ConsumptionFlowInput.fields,
  paused: startsPaused(),
});

const definition = {
  type: "consumption",
  emit_surrogate_key: false,
  table_properties: {},
  ...generateConsumption.example.body,
} as const;
const flow = {
  id: "019f0000-0000-7000-8000-000000000011",
  environment_id: exampleIds.environment,
  name: "daily_revenue",
  definition: {
    ...definition,
    target_schema: {
      ...definition.target_schema,
      columns: definition.target_schema.columns.map((column) => ({
        description: "",
        pk: false,
        not_null: false,
        pii: false,
        glossary_terms: [],
        ...column,
      })),
      foreign_keys: [],
    },
  },
  status: "active",
  workflow_id: "flow-019f0000-0000-7000-8000-000000000011",
  error_message: null,
  created_at: exampleTime,
  updated_at: exampleTime,
  created_by: "ada@example.com",
  updated_by: null,
};

const shared = { tag: "Flows" } as const;
const one = "/api/v1/flows/{flow_id}";

export const createFlow = endpoint({
  ...shared,
  method: "POST",
  changes: "definition",
  path: "/api/v1/flows",
  scope: "header",
  summary: "Create a flow and its job",
  description:
    "Takes the body of `/api/v1/codegen/consumption`, and the platform runs it. If no code can be generated for the definition, the error lists every reason. If the platform's own warehouse cannot run its SQL, the flow is `failed` and `error_message` says why; a table that does not exist yet is no reason.",
  access: "operator",
  needsData: true,
  headers: environmentHeader,
  body: FlowCreateRequest,
  response: Flow,
  errors: [404, 409],
  creates: true,
  versioned: true,
  example: { body: generateConsumption.example.body, response: flow },
});

export const listFlows = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/flows",
  scope: "list",
  summary: "List the flows, oldest first",
  access: "viewer",
  headers: environmentFilter,
  query: listQuery(listFields.flows),
  response: s.model("FlowList", {
    flows: s.list(Flow).describe("The flows on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404, 409],
  example: { response: { flows: [flow], total: 1 } },
});

export const getFlow = endpoint({
  ...shared,
  method: "GET",
  path: one,
  scope: "flow",
  summary: "Read a flow",
  access: "viewer",
  response: Flow,
  errors: [404],
  versioned: true,
  example: { response: flow },
});

export const updateFlow = endpoint({
  ...shared,
  method: "PUT",
  changes: "definition",
  path: one,
  scope: "flow",
  summary: "Replace a flow's definition",
  description: "Replaces the whole definition. The next run adds new columns to the target.",
  access: "operator",
  needsData: true,
  body: ConsumptionFlowInput,
  response: Flow,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: generateConsumption.example.body, response: flow },
});

export const deleteFlow = endpoint({
  ...shared,
  method: "DELETE",
  changes: "definition",
  path: one,
  scope: "flow",
  summary: "Delete a flow and its job",
  description: "Keeps the tables that the flow has published.",
  access: "operator",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: "Flow daily_revenue deleted." } },
});

export const pauseFlow = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${one}/pause`,
  scope: "flow",
  summary: "Pause a flow's schedule",
  description:
    "Keeps the declared schedule. Pausing again changes nothing, unless the body has a reason or an end time: then the new pause replaces the old one.",
  access: "operator",
  body: PauseRequest,
  bodyOptional: true,
  response: Flow,
  errors: [404, 409],
  versioned: true,
  example: { body: { reason: "migration tonight" }, response: { ...flow, status: "paused" } },
});

export const resumeFlow = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${one}/resume`,
  scope: "flow",
  summary: "Resume a paused flow",
  access: "operator",
  response: Flow,
  errors: [404, 409],
  versioned: true,
  example: { response: flow },
});
