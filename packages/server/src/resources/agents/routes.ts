import type { endpoints } from "@lakehelm/contract";
import { endpointProcess } from "../../core/processes.ts";
import type { Processes } from "../../runtime/processes/processes.ts";
import type { Handlers } from "../../web/http/handler.ts";
import { answerWith, listText } from "../../web/http/reply.ts";
import type { Environments } from "../environments/environments.ts";
import { logAnswer } from "../processes/log-answer.ts";
import { remoteLog } from "../processes/remote-log.ts";
import type { AgentResult } from "./agent-stop.ts";
import type { Agents } from "./agents.ts";
import { agentSubject } from "./component-deployment.ts";

type Routes =
  | "syncAgentRelease"
  | "stopAgent"
  | "retryComponent"
  | "createAgent"
  | "listAgents"
  | "getAgent"
  | "updateAgent"
  | "deleteAgent"
  | "readAgentLog"
  | "createAgentVersion"
  | "getAgentVersion"
  | "deleteAgentVersion"
  | "listAgentVersions";

export function agentHandlers(
  agents: Agents,
  environments: Environments,
  processes: Pick<Processes, "log">,
): Handlers<Pick<typeof endpoints, Routes>> {
  const success = ({ message, agent }: AgentResult) => ({ body: { success: true, message, agent } });
  return {
    async syncAgentRelease({ body, context }) {
      const env = await environments.forHook(body.environment, context);
      return success(await agents.syncRelease(body, env, context));
    },
    async stopAgent({ body, context, header }) {
      const env = await environments.actIn(header("x-environment-id"));
      return success(await agents.stop(body, env, context));
    },
    async retryComponent({ body, context, header }) {
      const env = await environments.actIn(header("x-environment-id"));
      return success(await agents.retry(body.agent_id, body.component, env, context));
    },
    createAgent: async (call) => answerWith(await agents.create(call.body, call)),
    async listAgents({ query }) {
      return { text: listText("agents", await agents.page(query)) };
    },
    getAgent: async ({ params }) => answerWith(await agents.read(params.agent_id)),
    updateAgent: async (call) => answerWith(await agents.update(call.params.agent_id, call.body, call)),
    async deleteAgent(call) {
      const { name } = await agents.remove(call.params.agent_id, call);
      return { body: { success: true, message: `Agent ${name} deleted.` } };
    },
    async readAgentLog(call) {
      const { environment, platform } = await environments.actIn(call.header("x-environment-id"));
      const { id, doc } = await agents.read(call.params.agent_id);
      const { remoteComponents: remote } = platform;
      const log = remote
        ? remoteLog(() => remote.log(environment.id, agentSubject(id), doc.name))
        : processes.log(endpointProcess(id, environment.id));
      return logAnswer(log, call.query, call);
    },
    createAgentVersion: async (call) =>
      answerWith(await agents.versions.create(call.params.agent_id, call.body, call)),
    getAgentVersion: async ({ params }) =>
      answerWith(await agents.versions.read(params.agent_id, params.version)),
    async deleteAgentVersion(call) {
      const { agent_id, version } = call.params;
      const { name } = await agents.versions.remove(agent_id, version, call);
      return { body: { success: true, message: `Version ${version} of ${name} deleted.` } };
    },
    async listAgentVersions({ params, query }) {
      const { id } = await agents.read(params.agent_id);
      return { text: listText("versions", await agents.versions.page(id, query)) };
    },
  };
}
