import type { endpoints } from "@lakehelm/contract";
import { Problem } from "../../core/errors.ts";
import { appProcess } from "../../core/processes.ts";
import type { Processes } from "../../runtime/processes/processes.ts";
import type { Handlers } from "../../web/http/handler.ts";
import { answerWith, listText } from "../../web/http/reply.ts";
import type { Environments } from "../environments/environments.ts";
import { logAnswer } from "../processes/log-answer.ts";
import { remoteLog } from "../processes/remote-log.ts";
import { appSubject } from "./app-processes.ts";
import type { Apps } from "./apps.ts";

type Routes =
  | "startApp"
  | "stopApp"
  | "createApp"
  | "listApps"
  | "getApp"
  | "updateApp"
  | "readAppLog"
  | "deleteApp";

export function appHandlers(
  apps: Apps,
  environments: Environments,
  processes: Pick<Processes, "log">,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async startApp({ body, context, header }) {
      const env = await environments.actIn(header("x-environment-id"));
      const app = await apps.start(body.application_name, env, context);
      const state = app.observed_state === "pending" ? "being started" : app.observed_state;
      return { body: { success: true, message: `${app.name} is ${state}.`, app } };
    },
    async stopApp({ body, context, header }) {
      const env = await environments.actIn(header("x-environment-id"));
      const app = await apps.stop(body.application_name, env, context);
      return { body: { success: true, message: `${app.name} is ${app.observed_state}.`, app } };
    },
    async createApp(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      return answerWith(await apps.create(call.body, env, call));
    },
    async listApps(call) {
      const scope = await environments.filter(call);
      return { text: listText("apps", await apps.page(scope, call.query)) };
    },
    getApp: ({ params }) => apps.text(params.app_id),
    updateApp: async (call) => answerWith(await apps.update(call.params.app_id, call.body, call)),
    async readAppLog(call) {
      const { id, doc } = await apps.read(call.params.app_id);
      const env = await environments.actIn(doc.environment_id).catch((error) => {
        // The log of an app stays readable in an environment that is not active.
        if (!(error instanceof Problem)) throw error;
      });
      const remote = env?.platform.remoteComponents;
      const log = remote
        ? remoteLog(() => remote.log(doc.environment_id, appSubject(id), doc.name))
        : processes.log(appProcess(id));
      return logAnswer(log, call.query, call);
    },
    async deleteApp(call) {
      const { name } = await apps.remove(call.params.app_id, call);
      return { body: { success: true, message: `App ${name} deleted.` } };
    },
  };
}
