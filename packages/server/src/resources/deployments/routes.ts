import type { endpoints } from "@lakehelm/contract";
import type { Handlers } from "../../web/http/handler.ts";
import { answerWith, listText } from "../../web/http/reply.ts";
import type { Environments } from "../environments/environments.ts";
import type { Deployments } from "./deployments.ts";

type Routes =
  | "createDeployment"
  | "listDeployments"
  | "getDeployment"
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
      const scope = await environments.filter(call.header("x-environment-id"));
      const { skip, limit } = call.query;
      return { text: listText("deployments", await deployments.page(scope, skip, limit)) };
    },
    getDeployment: ({ params }) => deployments.text(params.deployment_id),
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
