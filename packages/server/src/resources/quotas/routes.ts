import type { endpoints, Quota } from "@lakehelm/contract";
import { mayActOnServer } from "../../web/http/call.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { Files } from "../files/files.ts";
import { type Quotas, shareOf } from "./quotas.ts";

/** The maximum number of quotas in an answer. */
const most = 1_000;

export function quotaHandlers(
  quotas: Quotas,
  environments: Pick<Environments, "filter">,
  files: Pick<Files, "usage">,
): Handlers<Pick<typeof endpoints, "listQuotas">> {
  return {
    async listQuotas(call) {
      const { environmentId, environmentIds } = await environments.filter(call);
      const isWhole = environmentId === undefined;
      const seen = environmentId === undefined ? environmentIds : [environmentId];
      const visible = {
        environmentIds: seen,
        withServer: isWhole && mayActOnServer(call.caller, "viewer"),
        caller: isWhole && mayActOnServer(call.caller, "admin") ? undefined : call.caller.name,
      };
      const all: Quota[] = [...(await quotas.read(visible)), ...(await files.usage(environmentId, seen))];
      all.sort((one, other) => shareOf(other) - shareOf(one));
      return { body: { quotas: all.slice(0, most), is_complete: all.length <= most } };
    },
  };
}
