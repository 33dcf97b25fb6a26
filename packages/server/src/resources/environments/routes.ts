import type { endpoints } from "@lakehelm/contract";
import { visibleEnvironments } from "../../web/http/call.ts";
import type { Handlers } from "../../web/http/handler.ts";
import { answerWith, listText } from "../../web/http/reply.ts";
import type { ChangeRequests } from "./change-requests.ts";
import type { Environments } from "./environments.ts";

type Routes =
  | "createEnvironment"
  | "listEnvironments"
  | "getEnvironment"
  | "updateEnvironment"
  | "deleteEnvironment"
  | "checkEnvironment"
  | "requestEnvironmentChange"
  | "getEnvironmentChange"
  | "approveEnvironmentChange"
  | "withdrawEnvironmentChange";

export function environmentHandlers(
  environments: Environments,
  requests: ChangeRequests,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async createEnvironment(call) {
      return answerWith(await environments.create(call.body, call));
    },
    async listEnvironments({ query, caller }) {
      const page = await environments.page(query, visibleEnvironments(caller));
      return { text: listText("environments", page) };
    },
    async getEnvironment({ params }) {
      return answerWith(await environments.read(params.environment_id));
    },
    async updateEnvironment(call) {
      return answerWith(await environments.update(call.params.environment_id, call.body, call));
    },
    async checkEnvironment({ params, signal }) {
      return { body: await environments.check(params.environment_id, signal) };
    },
    async deleteEnvironment(call) {
      const { name } = await environments.remove(call.params.environment_id, call.query.force, call);
      return { body: { success: true, message: `Environment ${name} deleted.` } };
    },
    async requestEnvironmentChange({ params, body, context }) {
      return { body: await requests.ask(params.environment_id, body, context) };
    },
    async getEnvironmentChange({ params }) {
      return { body: await requests.read(params.environment_id) };
    },
    async approveEnvironmentChange({ params, body, context }) {
      return { body: await requests.approve(params.environment_id, body.id, context) };
    },
    async withdrawEnvironmentChange({ params, context }) {
      const { environment, created_by } = await requests.withdraw(params.environment_id, context);
      const message = `The change of ${environment} that ${created_by} asked for is withdrawn.`;
      return { body: { success: true, message } };
    },
  };
}
