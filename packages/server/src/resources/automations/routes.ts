import type { endpoints } from "@lakehelm/contract";
import type { Handlers } from "../../web/http/handler.ts";
import { answerWith, listText } from "../../web/http/reply.ts";
import type { Environments } from "../environments/environments.ts";
import type { Automations } from "./automations.ts";
import { validateQuery } from "./query.ts";

type Routes =
  | "createAutomation"
  | "listAutomations"
  | "getAutomation"
  | "setDefinition"
  | "putAttempt"
  | "getAttempt"
  | "listReleases"
  | "validateArtifacts"
  | "syncAutomationRelease"
  | "setSchedule"
  | "validateQuery";

export function automationHandlers(
  automations: Automations,
  environments: Environments,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    createAutomation: async (call) => answerWith(await automations.create(call.body, call)),
    async listAutomations({ query: { skip, limit } }) {
      return { text: listText("automations", await automations.page(skip, limit)) };
    },
    getAutomation: async ({ params }) => answerWith(await automations.details(params.automation_alias)),
    setDefinition: async (call) =>
      answerWith(await automations.setDefinition(call.params.automation_alias, call.body, call)),
    async putAttempt(call) {
      const { automation_alias, attempt_id } = call.params;
      return answerWith(await automations.attempts.put(automation_alias, attempt_id, call.body, call));
    },
    async getAttempt({ params }) {
      return answerWith(await automations.attempts.read(params.automation_alias, params.attempt_id));
    },
    async listReleases({ params, query: { skip, limit } }) {
      return { body: await automations.releases(params.automation_alias, skip, limit) };
    },
    async validateArtifacts(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      const { automation_alias } = call.params;
      const { attempt_id } = call.body;
      return { body: await automations.validate(automation_alias, attempt_id, env, call.signal) };
    },
    async syncAutomationRelease(call) {
      return { body: { success: true, ...(await automations.syncRelease(call.body, call.context)) } };
    },
    async setSchedule(call) {
      const { automation_alias, action } = call.params;
      const environment = call.header("x-environment-id");
      const set = await automations.setSchedule(
        automation_alias,
        action,
        call.body,
        environment,
        call.context,
      );
      return { body: { success: true, ...set } };
    },
    async validateQuery(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      return { body: await validateQuery(env, call.body.query, call.signal) };
    },
  };
}
