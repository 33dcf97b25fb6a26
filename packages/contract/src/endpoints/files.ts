import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { Done, dateTime, environmentHeader, exampleTime, paging } from "./shared.ts";

export const WorkspaceFile = s.model("WorkspaceFile", {
  path: s.string(),
  size: s.integer(),
  sha256: s.string(),
  updated_at: dateTime(),
});
export type WorkspaceFile = s.Infer<typeof WorkspaceFile>;

const file = { path: "pipelines/orders.sql", size: 8, sha256: "7d8f", updated_at: exampleTime };
const shared = { tag: "Files", headers: environmentHeader, needsData: true } as const;

export const listFiles = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/files",
  summary: "List the files of an environment's workspace folder, ordered by path",
  access: "viewer",
  query: { ...paging, prefix: s.string().default("").describe("Only paths with this prefix.") },
  response: s.model("FileList", { files: s.list(WorkspaceFile), total: s.integer() }),
  errors: [404, 409],
  example: { response: { files: [file], total: 1 } },
});

export const putFile = endpoint({
  ...shared,
  method: "PUT",
  path: "/api/v1/files/{path*}",
  summary: "Write a file",
  description:
    "The body is the content of the file, of any type. The path must stay inside the workspace folder. Only an admin may write an `app.yaml`, or files below the `source_path` of an agent or app.",
  access: "operator",
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
  summary: "Read a file",
  access: "viewer",
  response: s.string(),
  streams: "application/octet-stream",
  errors: [404, 409],
});

export const deleteFile = endpoint({
  ...shared,
  method: "DELETE",
  path: "/api/v1/files/{path*}",
  summary: "Delete a file",
  access: "operator",
  response: Done,
  errors: [404, 409],
  example: { response: { success: true, message: "pipelines/orders.sql deleted." } },
});
