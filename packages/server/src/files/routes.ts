import type { endpoints } from "@lakehelm/contract";
import type { Environments } from "../environments/environments.ts";
import type { Call, Handlers } from "../http/handler.ts";
import type { Files } from "./files.ts";

type Routes = "listFiles" | "putFile" | "getFile" | "deleteFile";

export function fileHandlers(
  files: Files,
  environments: Environments,
): Handlers<Pick<typeof endpoints, Routes>> {
  const environmentOf = async (call: Pick<Call, "header">) =>
    (await environments.actIn(call.header("x-environment-id"))).environment;
  return {
    async listFiles(call) {
      const { prefix, skip, limit } = call.query;
      return { body: await files.page(await environmentOf(call), prefix, skip, limit) };
    },
    async putFile(call) {
      return { body: await files.put(await environmentOf(call), call.params.path, call.body, call.by) };
    },
    async getFile(call) {
      const { bytes, file } = await files.open(await environmentOf(call), call.params.path);
      return { stream: bytes, contentType: "application/octet-stream", etag: `"${file.sha256}"` };
    },
    async deleteFile(call) {
      const { path } = call.params;
      await files.remove(await environmentOf(call), path, call.by);
      return { body: { success: true, message: `${path} deleted.` } };
    },
  };
}
