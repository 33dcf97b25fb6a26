import type { endpoints } from "@lakehelm/contract";
import { mayActOnServer } from "../../web/http/call.ts";
import type { Call, Handlers } from "../../web/http/handler.ts";
import type { AreUnconfined } from "../agents/source-path.ts";
import type { Environments } from "../environments/environments.ts";
import { type CodeAt, requireMayChange } from "./code-guard.ts";
import type { Files } from "./files.ts";
import type { RequireAllowed } from "./write-guard.ts";

type Routes = "listFiles" | "putFile" | "getFile" | "deleteFile";

interface Guards {
  readonly codeAt: CodeAt;
  readonly areUnconfined: AreUnconfined;
  readonly requireAllowed: RequireAllowed;
}

export function fileHandlers(
  files: Files,
  environments: Environments,
  { codeAt, areUnconfined, requireAllowed }: Guards,
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
      const { params, query, caller, body, context } = call;
      const { path } = params;
      const allowed = () => requireAllowed({ environment, path, content: body, plan: query.plan, context });
      // An admin of the server may write code, so no folder needs to be kept from becoming code.
      if (mayActOnServer(caller, "admin")) {
        await allowed();
        return { body: await files.put(environment, path, body, context) };
      }
      const guard = async () => {
        await requireMayChange(codeAt, caller, environment.id, path, areUnconfined);
        await allowed();
      };
      return { body: await files.put(environment, path, body, context, guard) };
    },
    async getFile(call) {
      const { bytes, file } = await files.open(await environmentOf(call), call.params.path);
      return { stream: bytes, contentType: "application/octet-stream", etag: `"${file.sha256}"` };
    },
    async deleteFile(call) {
      const { params, caller, context } = call;
      const { path } = params;
      const environment = await environmentOf(call);
      const guard = async () => {
        await requireMayChange(codeAt, caller, environment.id, path, areUnconfined);
        await requireAllowed({ environment, path, content: null, plan: null, context });
      };
      await files.remove(environment, path, context, guard);
      return { body: { success: true, message: `${path} deleted.` } };
    },
  };
}
