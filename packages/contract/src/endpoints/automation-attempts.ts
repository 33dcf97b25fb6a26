import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { exampleDefinition } from "./automation-definition.ts";
import { dateTime, environmentHeader, exampleTime, nullableText } from "./shared.ts";

const AttemptFile = s.model("AttemptFile", { path: s.string({ min: 1 }), content: s.string() });

/** Stored as sent: validate-artifacts checks them. */
const design = {
  version: s.integer().optional(),
  description: s.string().default(""),
  tasks: s.list(s.map()).default([]).describe("AutomationTask items."),
  schedule: s.map().nullable().optional(),
  trigger: s.map().nullable().optional(),
  parameters: s.map().default({}),
  overlap: s.boolean().optional(),
  timeout_seconds: s.integer().nullable().optional(),
  notifications: s.map().nullable().optional(),
  files: s
    .list(AttemptFile)
    .default([])
    .describe(
      "Further files of the design, by relative path. A `definition.yaml` or `definition.json` among them replaces the fields above.",
    ),
  metadata: s.map().default({}),
};

export const AttemptRequest = s.model("AttemptRequest", design, {
  // Misspelled keys are stored too, so that validation can report them.
  additional: true,
  description:
    "The fields of an AutomationDefinition, stored unchanged and checked by validate-artifacts. A definition that is sent as YAML is stored as the file `definition.yaml`.",
});
export type AttemptRequest = s.Infer<typeof AttemptRequest>;

export const Attempt = s.model(
  "Attempt",
  {
    attempt_id: s.string(),
    automation_alias: s.string(),
    ...design,
    created_at: dateTime(),
    updated_at: dateTime(),
    created_by: s.string(),
  },
  { additional: true },
);
export type Attempt = s.Infer<typeof Attempt>;

export const AutomationValidateArtifactsResponse = s.model("AutomationValidateArtifactsResponse", {
  success: s.boolean(),
  attempt_id: s.string(),
  automation_alias: s.string(),
  validation_status: s.literal("passed", "failed"),
  validation_errors: s.list(s.string()),
  files_to_commit: s.list(s.string()),
  design_content_hash: nullableText(),
  metadata_preview: s
    .map()
    .nullable()
    .describe(
      "The metadata with `alias`, and what would run: `tasks` in order, `next_firings`, `tables_read`, `tables_written`, `tables_not_there_yet` (missing tables of the trigger), and `files` with their sizes in bytes.",
    ),
  api_response_time_seconds: s.number(),
});
export type AutomationValidateArtifactsResponse = s.Infer<typeof AutomationValidateArtifactsResponse>;

const attemptRequest = {
  description: "Refresh the orders every morning",
  tasks: exampleDefinition.tasks,
  schedule: exampleDefinition.schedule,
  parameters: {},
  files: [{ path: "sql/orders.sql", content: "select 1" }],
  metadata: {},
};
const attempt = {
  attempt_id: "a-1",
  automation_alias: "orders-daily",
  ...attemptRequest,
  created_at: exampleTime,
  updated_at: exampleTime,
  created_by: "ada@example.com",
};

const shared = { tag: "Automations" } as const;
const one = "/api/automations/{automation_alias}";

export const validateArtifacts = endpoint({
  ...shared,
  number: 3,
  method: "POST",
  path: `${one}/validate-artifacts`,
  summary: "Validate the artifacts of an authoring attempt",
  description:
    "Writes the definition, metadata and bundle files to a temporary folder and validates them: schema, references, task order, SQL against the catalog, schedule, bundle, secrets. Changes nothing: no commit, no database write. Every problem, including an unknown automation or attempt, is in `validation_errors`, with file, line and column if known: `definition.yaml:12:5: …`.",
  access: "operator",
  headers: environmentHeader,
  needsData: true,
  body: s.model("ValidateArtifactsRequest", { attempt_id: s.string() }),
  response: AutomationValidateArtifactsResponse,
  errors: [404, 409],
  example: {
    body: { attempt_id: "a-1" },
    response: {
      success: true,
      attempt_id: "a-1",
      automation_alias: "orders-daily",
      validation_status: "passed",
      validation_errors: [],
      files_to_commit: ["automations/orders-daily/definition.yaml"],
      design_content_hash: "sha256:2f0c",
      metadata_preview: { alias: "orders-daily" },
      api_response_time_seconds: 0.004,
    },
  },
});

export const putAttempt = endpoint({
  ...shared,
  method: "PUT",
  path: `${one}/attempts/{attempt_id}`,
  summary: "Create or replace an authoring attempt: the design to validate",
  access: "operator",
  body: AttemptRequest,
  yaml: true,
  response: Attempt,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: attemptRequest, response: attempt },
});

export const getAttempt = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/attempts/{attempt_id}`,
  summary: "Read an authoring attempt",
  access: "viewer",
  response: Attempt,
  errors: [404],
  versioned: true,
  example: { response: attempt },
});
