import { type EndpointQuery, type endpoints, listExtension, listFields } from "@lakehelm/contract";
import type { ValidationError } from "@lakehelm/contract/schema";
import { conflict } from "../../core/errors.ts";
import type { ListRequest } from "../../core/store/list-request.ts";
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

const extension = listExtension(listFields.connectors);

/** Our parameters in a request of the contract: a wrong value is a conflict and never a 422. */
function requestOf(query: EndpointQuery<typeof endpoints.listConnectors>): ListRequest {
  // Most requests have only `skip` and `limit`.
  if (Object.keys(query).length === 2) return query as ListRequest;
  const errors: ValidationError[] = [];
  const checked = extension.check(query, ["query"], errors);
  const [first] = errors;
  if (first) throw conflict(`${first.loc.join(".")}: ${first.msg}.`);
  const { skip, limit } = query;
  return { skip, limit, ...checked };
}

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
      const request = requestOf(call.query);
      const scope = await environments.filter(call);
      return { text: listText("connectors", await connectors.page(scope, request)) };
    },
    getConnector: ({ params }) => connectors.text(params.connector_id),
    updateConnector: async (call) =>
      answerWith(await connectors.update(call.params.connector_id, call.body, call)),
    async deleteConnector(call) {
      const { name, left } = await connectors.remove(call.params.connector_id, call);
      return { body: { success: true, message: `Connector ${name} deleted.${left ? ` ${left}` : ""}` } };
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
