import type { endpoints } from "@lakehelm/contract";
import { mayAct } from "../../web/http/call.ts";
import type { Call, Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import { type CodeAt, requireMayChange } from "./code-guard.ts";
import type { Files } from "./files.ts";

type Routes = "listFiles" | "putFile" | "getFile" | "deleteFile";

export function fileHandlers(
  files: Files,
  environments: Environments,
  codeAt: CodeAt,
): Handlers<Pick<typeof endpoints, Routes>> {
  const environmentOf = async (call: Pick<Call, "header">) =>
    (await environments.actIn(call.header("x-environment-id"))).environment;
  return {
    async listFiles(call) {
      const { prefix, ...request } = call.query;
      return { body: await files.page(await environmentOf(call), prefix, request) };
    },
    async putFile(call) {
      const environment = await environmentOf(call);
      const { params, caller, body, context } = call;
      const guard = () => requireMayChange(codeAt, caller, environment.id, params.path);
      // An admin may write code, so the guard is not needed.
      const requiredGuard = mayAct(caller, "admin") ? undefined : guard;
      return { body: await files.put(environment, params.path, body, context, requiredGuard) };
    },
    async getFile(call) {
      const { bytes, file } = await files.open(await environmentOf(call), call.params.path);
      return { stream: bytes, contentType: "application/octet-stream", etag: `"${file.sha256}"` };
    },
    async deleteFile(call) {
      const { path } = call.params;
      const environment = await environmentOf(call);
      await requireMayChange(codeAt, call.caller, environment.id, path);
      await files.remove(environment, path, call.context);
      return { body: { success: true, message: `${path} deleted.` } };
    },
  };
}
