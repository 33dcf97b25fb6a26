import type { endpoints } from "@lakehelm/contract";
import type { Handlers } from "../../web/http/handler.ts";
import { answerWith, listText } from "../../web/http/reply.ts";
import type { Environments } from "../environments/environments.ts";
import type { Connectors } from "./connectors.ts";

type Routes =
  | "createConnector"
  | "listConnectors"
  | "getConnector"
  | "updateConnector"
  | "deleteConnector"
  | "pauseConnector"
  | "resumeConnector"
  | "addDataset"
  | "updateDataset"
  | "removeDataset";

export function connectorHandlers(
  connectors: Connectors,
  environments: Environments,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async createConnector(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      return answerWith(await connectors.create(call.body, env, call));
    },
    async listConnectors(call) {
      const scope = await environments.filter(call.header("x-environment-id"));
      const { skip, limit } = call.query;
      return { text: listText("connectors", await connectors.page(scope, skip, limit)) };
    },
    getConnector: ({ params }) => connectors.text(params.connector_id),
    updateConnector: async (call) =>
      answerWith(await connectors.update(call.params.connector_id, call.body, call)),
    async deleteConnector(call) {
      const { name } = await connectors.remove(call.params.connector_id, call);
      return { body: { success: true, message: `Connector ${name} deleted.` } };
    },
    pauseConnector: async (call) =>
      answerWith(await connectors.pause(call.params.connector_id, call.body ?? {}, call)),
    resumeConnector: async (call) => answerWith(await connectors.resume(call.params.connector_id, call)),
    addDataset: async (call) =>
      answerWith(await connectors.addDataset(call.params.connector_id, call.body, call)),
    async updateDataset(call) {
      const { connector_id, dataset_id } = call.params;
      return answerWith(await connectors.updateDataset(connector_id, dataset_id, call.body, call));
    },
    async removeDataset(call) {
      const { connector_id, dataset_id } = call.params;
      return answerWith(await connectors.removeDataset(connector_id, dataset_id, call));
    },
  };
}
