import type { endpoints } from "@lakehelm/contract";
import { mayActOnServer } from "../../web/http/call.ts";
import type { Call, Handlers } from "../../web/http/handler.ts";
import type { AreUnconfined } from "../agents/source-path.ts";
import type { Environments } from "../environments/environments.ts";
import { type CodeAt, requireMayChange } from "./code-guard.ts";
import type { Files } from "./files.ts";
import type { FileWrite, RequireAllowed } from "./write-guard.ts";

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
  /** Undefined for an admin of the server, who may write code: no folder needs to be kept from becoming code. */
  async function guardOf(
    { caller, context }: Pick<Call, "caller" | "context">,
    write: Omit<FileWrite, "context">,
  ): Promise<(() => Promise<void>) | undefined> {
    const allowed = () => requireAllowed({ ...write, context });
    if (mayActOnServer(caller, "admin")) {
      await allowed();
      return undefined;
    }
    return async () => {
      await requireMayChange(codeAt, caller, write.environment.id, write.path, areUnconfined);
      await allowed();
    };
  }

  return {
    async listFiles(call) {
      const { prefix, ...request } = call.query;
      return { body: await files.page(await environmentOf(call), prefix, request) };
    },
    async putFile(call) {
      const { params, query, body, context } = call;
      const environment = await environmentOf(call);
      const guard = await guardOf(call, { environment, path: params.path, content: body, plan: query.plan });
      return { body: await files.put(environment, params.path, body, context, guard) };
    },
    async getFile(call) {
      const { bytes, file } = await files.open(await environmentOf(call), call.params.path);
      return { stream: bytes, contentType: "application/octet-stream", etag: `"${file.sha256}"` };
    },
    async deleteFile(call) {
      const { path } = call.params;
      const environment = await environmentOf(call);
      const guard = await guardOf(call, { environment, path, content: null, plan: null });
      await files.remove(environment, path, call.context, guard);
      return { body: { success: true, message: `${path} deleted.` } };
    },
  };
}
