import type { endpoints } from "@lakehelm/contract";
import { visibleEnvironments } from "../../web/http/call.ts";
import type { Handlers } from "../../web/http/handler.ts";
import { answerWith, listText } from "../../web/http/reply.ts";
import type { Environments } from "./environments.ts";

type Routes =
  | "createEnvironment"
  | "listEnvironments"
  | "getEnvironment"
  | "updateEnvironment"
  | "deleteEnvironment"
  | "checkEnvironment";

export function environmentHandlers(environments: Environments): Handlers<Pick<typeof endpoints, Routes>> {
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
  };
}
