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
  | "updateAutomation"
  | "deleteAutomation"
  | "deleteAttempt"
  | "setDefinition"
  | "putAttempt"
  | "getAttempt"
  | "listReleases"
  | "getReleasedDefinition"
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
    async listAutomations({ query }) {
      return { text: listText("automations", await automations.page(query)) };
    },
    async getAutomation({ params }) {
      return { ...answerWith(await automations.details(params.automation_alias)), isComputed: true };
    },
    updateAutomation: async (call) =>
      answerWith(await automations.update(call.params.automation_alias, call.body, call)),
    async deleteAutomation(call) {
      const { alias } = await automations.remove(call.params.automation_alias, call);
      return { body: { success: true, message: `Automation ${alias} deleted.` } };
    },
    async deleteAttempt(call) {
      const { automation_alias, attempt_id } = call.params;
      await automations.attempts.remove(automation_alias, attempt_id, call);
      return { body: { success: true, message: `Attempt ${attempt_id} of ${automation_alias} deleted.` } };
    },
    setDefinition: async (call) =>
      answerWith(await automations.setDefinition(call.params.automation_alias, call.body, call)),
    async putAttempt(call) {
      const { automation_alias, attempt_id } = call.params;
      return answerWith(await automations.attempts.put(automation_alias, attempt_id, call.body, call));
    },
    async getAttempt({ params }) {
      return answerWith(await automations.attempts.read(params.automation_alias, params.attempt_id));
    },
    async listReleases({ params, query, caller }) {
      const scope = await environments.filter({ query, caller, header: () => undefined });
      return { body: await automations.releases(params.automation_alias, scope, query) };
    },
    async getReleasedDefinition({ params, caller }) {
      const scope = await environments.filter({ query: {}, caller, header: () => undefined });
      const { automation_alias, release_id } = params;
      return { body: await automations.releasedDefinition(automation_alias, release_id, scope) };
    },
    async validateArtifacts(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      const { automation_alias } = call.params;
      const { attempt_id } = call.body;
      const context = { env, signal: call.signal, owner: call.context.actor };
      return { body: await automations.validate(automation_alias, attempt_id, context) };
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
