import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { exampleDefinition } from "./automation-definition.ts";
import {
  createdAt,
  createdBy,
  Done,
  environmentHeader,
  exampleTime,
  nullableText,
  updatedAt,
} from "./shared.ts";

const AttemptFile = s.model("AttemptFile", {
  path: s
    .string({ min: 1 })
    .describe("Relative path below the automation's folder, such as `sql/orders.sql`."),
  content: s.string().describe("The text of the file. A YAML file may have up to 100,000 characters."),
});

/** Stored as sent: validate-artifacts checks them. */
const design = {
  version: s.integer().optional().describe("Version of the definition's schema: 1."),
  description: s.string().default("").describe("What the automation is for, in one sentence."),
  tasks: s.list(s.map()).default([]).describe("AutomationTask items."),
  schedule: s
    .map()
    .nullable()
    .optional()
    .describe("`cron` and `timezone`, as in an AutomationDefinition; null: none."),
  trigger: s
    .map()
    .nullable()
    .optional()
    .describe(
      "What starts the automation instead of a schedule, as in an AutomationDefinition; null: nothing.",
    ),
  parameters: s.map().default({}).describe("Values for `{{parameters.name}}` in tasks."),
  overlap: s
    .boolean()
    .optional()
    .describe("Whether a run may start before the last one has ended. Absent: no."),
  timeout_seconds: s.integer().nullable().optional().describe("Time limit of a run; null or absent: none."),
  notifications: s
    .map()
    .nullable()
    .optional()
    .describe("`on_success`, `on_failure` and `on_recovery`, as in an AutomationDefinition; null: none."),
  files: s
    .list(AttemptFile)
    .default([])
    .describe(
      "Further files of the design, by relative path. A `definition.yaml` or `definition.json` among them replaces the fields above.",
    ),
  metadata: s
    .map()
    .default({})
    .describe("Your own data about the design. It becomes part of `metadata.json`."),
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
    attempt_id: s.string().describe("Your id of the attempt, as in the path. Unique for the automation."),
    automation_alias: s.string().describe("Alias of the automation that it is a design for."),
    ...design,
    created_at: createdAt(),
    updated_at: updatedAt(),
    created_by: createdBy(),
  },
  { additional: true },
);
export type Attempt = s.Infer<typeof Attempt>;

export const AutomationValidateArtifactsResponse = s.model("AutomationValidateArtifactsResponse", {
  success: s.boolean().describe("Whether the design passed: the same as `validation_status`."),
  attempt_id: s.string().describe("The attempt that was validated."),
  automation_alias: s.string().describe("The automation that the attempt belongs to."),
  validation_status: s
    .literal("passed", "failed")
    .describe("`failed` if there is at least one entry in `validation_errors`."),
  validation_errors: s
    .list(s.string())
    .describe("Every problem, as `file:line:column: message` where a position is known. Empty if it passed."),
  files_to_commit: s
    .list(s.string())
    .describe("Paths of the files that a commit of this design would have. Empty if it failed."),
  design_content_hash: nullableText().describe(
    "`sha256:` and the hash of all files of the design. A release of this attempt has the same hash. Null if there is no valid design.",
  ),
  metadata_preview: s
    .map()
    .nullable()
    .describe(
      "The metadata with `alias`, and what would run: `tasks` in order, `next_firings`, `tables_read`, `tables_written`, `tables_not_there_yet` (missing tables of the trigger), and `files` with their sizes in bytes.",
    ),
  api_response_time_seconds: s.number().describe("How long the validation took."),
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
  isBounded: true,
  ...shared,
  number: 3,
  method: "POST",
  changes: "nothing",
  path: `${one}/validate-artifacts`,
  scope: "header",
  answersUnknownNames: true,
  summary: "Validate the artifacts of an authoring attempt",
  description:
    "Writes the definition, metadata and bundle files to a temporary folder and validates them: schema, references, task order, SQL against the catalog, schedule, bundle, secrets. Changes nothing: no commit, no database write. Every problem, including an unknown automation or attempt, is in `validation_errors`, with file, line and column if known: `definition.yaml:12:5: …`.",
  access: "operator",
  readOnly: true,
  headers: environmentHeader,
  needsData: true,
  body: s.model("ValidateArtifactsRequest", {
    attempt_id: s
      .string()
      .describe("Id of an attempt of this automation. An unknown one is a validation error."),
  }),
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
  changes: "draft",
  path: `${one}/attempts/{attempt_id}`,
  scope: "automation",
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
  scope: "automation",
  summary: "Read an authoring attempt",
  access: "viewer",
  response: Attempt,
  errors: [404],
  versioned: true,
  example: { response: attempt },
});

export const deleteAttempt = endpoint({
  ...shared,
  method: "DELETE",
  changes: "draft",
  path: `${one}/attempts/{attempt_id}`,
  scope: "automation",
  summary: "Delete an authoring attempt",
  description: "Releases that were made from it stay as they are.",
  access: "operator",
  response: Done,
  errors: [404, 412],
  versioned: true,
  example: { response: { success: true, message: "Attempt a-1 of orders-daily deleted." } },
});
