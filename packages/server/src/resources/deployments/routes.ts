import type { endpoints } from "@lakehelm/contract";
import type { Handlers } from "../../web/http/handler.ts";
import { answerWith, listText } from "../../web/http/reply.ts";
import type { Environments } from "../environments/environments.ts";
import type { Deployments } from "./deployments.ts";

type Routes =
  | "createDeployment"
  | "listDeployments"
  | "getDeployment"
  | "updateDeployment"
  | "deleteDeployment"
  | "startDeployment"
  | "finishDeployment"
  | "appendDeploymentLog"
  | "getDeploymentLog"
  | "getEnvironmentSummary";

export function deploymentHandlers(
  deployments: Deployments,
  environments: Environments,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async createDeployment(call) {
      const { environment } = await environments.actIn(call.header("x-environment-id"));
      return answerWith(await deployments.create(call.body, environment, call));
    },
    async listDeployments(call) {
      const scope = await environments.filter(call);
      return { text: listText("deployments", await deployments.page(scope, call.query)) };
    },
    getDeployment: ({ params }) => deployments.text(params.deployment_id),
    updateDeployment: async (call) =>
      answerWith(await deployments.update(call.params.deployment_id, call.body, call)),
    async deleteDeployment(call) {
      const { deployment_id } = call.params;
      await deployments.remove(deployment_id, call);
      return { body: { success: true, message: `Deployment ${deployment_id} deleted.` } };
    },
    startDeployment: async ({ params, context }) =>
      answerWith(await deployments.start(params.deployment_id, context)),
    finishDeployment: async ({ params, body, context }) =>
      answerWith(await deployments.finish(params.deployment_id, body, context)),
    appendDeploymentLog: async ({ params, body, context }) =>
      answerWith(await deployments.appendLog(params.deployment_id, body.log_chunk, context)),
    async getDeploymentLog({ params: { deployment_id } }) {
      return { body: { deployment_id, log: await deployments.log(deployment_id) } };
    },
    async getEnvironmentSummary({ params }) {
      const { id } = await environments.read(params.environment_id);
      return { text: await deployments.summary(id) };
    },
  };
}
