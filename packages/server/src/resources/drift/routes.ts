import type { endpoints } from "@lakehelm/contract";
import type { System } from "../../core/system.ts";
import type { Handlers } from "../../web/http/handler.ts";
import { listText } from "../../web/http/reply.ts";
import type { Environments } from "../environments/environments.ts";
import type { DriftRules } from "./drift.ts";

type Routes = "listDrift" | "checkDrift" | "adoptDrift" | "revertDrift";

export function driftHandlers(
  drift: DriftRules,
  environments: Pick<Environments, "filter" | "actIn">,
  system: Pick<System, "now">,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async listDrift(call) {
      const scope = await environments.filter(call);
      // In the stored list, the kind is the column `status` and the resource is the column `name`.
      const { kind: status, resource: name, ...rest } = call.query;
      const request = { ...rest, ...(status && { status }), ...(name && { name }) };
      return { text: listText("drift", await drift.page(scope, request)) };
    },
    async checkDrift(call) {
      const { environment } = await environments.actIn(call.header("x-environment-id"));
      const { differences, undecided } = await drift.check(environment.id, call.signal);
      const checked_at = system.now().toISOString();
      return { body: { environment_id: environment.id, checked_at, differences, undecided } };
    },
    async adoptDrift(call) {
      const { drift: found, isDone } = await drift.adopt(call.params.drift_id, call);
      const what = `${found.field ?? "All"} of ${found.name} was adopted.`;
      return { body: { success: true, message: isDone ? what : `${what} ${later}` } };
    },
    async revertDrift(call) {
      const { drift: found, isDone } = await drift.revert(call.params.drift_id, call);
      const what =
        found.change === "gone"
          ? `${found.name} was created again.`
          : `${found.field} of ${found.name} was put back.`;
      return { body: { success: true, message: isDone ? what : `${what} ${later}` } };
    },
  };
}

const later = "The platform has not confirmed it yet.";
