import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { listQuery, memoryListFields, nextCursor } from "./lists.ts";
import { Done, dateTime, environmentHeader, exampleTime, total } from "./shared.ts";

export const WorkspaceFile = s.model("WorkspaceFile", {
  path: s.string().describe("Relative path in the workspace folder, such as `pipelines/orders.sql`."),
  size: s.integer().describe("Size of the content in bytes."),
  sha256: s.string().describe("SHA-256 of the content in hex: the `ETag` of the file."),
  updated_at: dateTime().describe("When the content last changed."),
});
export type WorkspaceFile = s.Infer<typeof WorkspaceFile>;

const file = { path: "pipelines/orders.sql", size: 8, sha256: "7d8f", updated_at: exampleTime };
const shared = { tag: "Files", headers: environmentHeader, needsData: true } as const;

export const listFiles = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/files",
  scope: "header",
  summary: "List the files of an environment's workspace folder, ordered by path",
  access: "viewer",
  query: {
    ...listQuery(memoryListFields.files),
    prefix: s.string().default("").describe("Only paths with this prefix."),
  },
  response: s.model("FileList", {
    files: s.list(WorkspaceFile).describe("The files on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404, 409],
  example: { response: { files: [file], total: 1 } },
});

export const putFile = endpoint({
  ...shared,
  method: "PUT",
  changes: "settings",
  path: "/api/v1/files/{path*}",
  scope: "header",
  summary: "Write a file",
  description:
    "The body is the content of the file, of any type. The path must stay inside the workspace folder. Only an admin may write an `app.yaml`, or files below the `source_path` of an agent or app. To write a file that a pipeline, agent or app uses is a change of that resource: refused where changes are by plan, unless `plan` has it, and judged by the policies of the server.",
  access: "operator",
  effect: "changes a file",
  query: {
    plan: s
      .string()
      .nullable()
      .default(null)
      .describe(
        "Id of the plan that this file is part of (`code_files`): one that may be applied now, or that was applied last. Null: of none.",
      ),
  },
  body: "bytes",
  response: WorkspaceFile,
  errors: [404, 409],
  bodyLimit: "codegen",
  example: { response: file },
});

export const getFile = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/files/{path*}",
  scope: "header",
  summary: "Read a file",
  access: "viewer",
  response: s.string(),
  streams: "application/octet-stream",
  errors: [404, 409],
});

export const deleteFile = endpoint({
  ...shared,
  method: "DELETE",
  changes: "settings",
  path: "/api/v1/files/{path*}",
  scope: "header",
  summary: "Delete a file",
  description:
    "To delete a file that a pipeline, agent or app uses is a change of that resource: refused where changes are by plan, and judged by the policies of the server.",
  access: "operator",
  effect: "changes a file",
  response: Done,
  errors: [404, 409],
  example: { response: { success: true, message: "pipelines/orders.sql deleted." } },
});
