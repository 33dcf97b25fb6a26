import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import pino from "pino";
import { createSystem } from "../../../../core/system.ts";
import { createOutbound } from "../../../outbound/outbound.ts";
import { appRoutes } from "../testing/apps.ts";
import { startFakeWorkspace, testToken } from "../testing/fake-workspace.ts";
import { servingRoutes } from "../testing/serving.ts";
import { createWorkspaces } from "../workspaces.ts";
import { createComponentFollower, type RunningComponent } from "./component-follower.ts";
import { appOf, endpointOf } from "./requests.ts";

const installation = "i1";

test("what crashed, stopped or is gone in a workspace is observed with two lists, whatever another workspace does", async (t) => {
  const apps = appRoutes();
  const serving = servingRoutes();
  const workspace = await startFakeWorkspace(t, apps.routes, serving.routes);
  const away = await startFakeWorkspace(t);
  away.fail({ match: "GET *", kind: "silence", times: 1_000 });
  const outbound = createOutbound({ allowsPrivate: true, privateAddresses: [] });
  const hosts: Record<string, string> = { lake: workspace.url, away: away.url };
  const workspaces = createWorkspaces({
    system: createSystem(),
    outbound,
    allowsHttp: true,
    environment: async (id) =>
      ({ id, name: id, configuration: { host: hosts[id], token: testToken } }) as never,
    configurationOf: async (id) => ({ host: hosts[id], token: testToken }),
    secretOf: async () => undefined,
  });

  const components: RunningComponent[] = ["app/1", "app/2", "app/3", "app/4", "agent/5", "agent/6"].map(
    (subject) => ({ environmentId: "lake", subject, name: subject.replace("/", "-") }),
  );
  for (const { subject, name } of components) {
    const mark = { installation, environment: "lake", resource: subject };
    if (subject.startsWith("agent")) {
      const endpoint = endpointOf(name, mark);
      const tags = Object.entries({
        lakehelm_installation: installation,
        lakehelm_environment: "lake",
        lakehelm_resource: subject,
      }).map(([key, value]) => ({ key, value }));
      const config = { served_entities: [{}] };
      const rest = { config, pending: undefined, failure: undefined };
      serving.endpoints.set(endpoint.name, {
        name: endpoint.name,
        tags,
        suspended: subject === "agent/6",
        ...rest,
      });
      continue;
    }
    const { name: own } = appOf(name, mark);
    apps.apps.set(own, {
      name: own,
      description: `[lakehelm ${installation} lake ${subject}]`,
      compute: subject === "app/3" ? "STOPPED" : "ACTIVE",
      crashed: subject === "app/2",
      deployments: [
        { deployment_id: "d", source_code_path: "/x", status: { state: "SUCCEEDED", message: "" } },
      ],
    });
    // Somebody else has taken the name of this app.
    if (subject === "app/4") Object.assign(apps.apps.get(own) ?? {}, { description: "mine" });
  }

  const observed = new Map<string, string>();
  const follower = createComponentFollower({
    workspaces,
    installation,
    running: async () => [{ environmentId: "away", subject: "app/9", name: "nine" }, ...components],
    observe: async ({ subject }, { observed_state, message }) =>
      void observed.set(subject, `${observed_state}: ${message}`),
    mayRun: () => true,
    log: pino({ level: "silent" }),
    pauseMs: 3_600_000,
  });
  follower.start();
  await until(() => observed.size === components.length);
  await follower.stop();
  assert.deepEqual(Object.fromEntries(observed), {
    "app/1": "running: null",
    "app/2": "failed: It crashed. Exit code 1.",
    "app/3": "failed: Somebody stopped it in the workspace. App compute is STOPPED.",
    "app/4": "failed: It is not in the workspace any more. Start it again to create it.",
    "agent/5": "running: null",
    "agent/6": "failed: Somebody stopped it in the workspace.",
  });
  assert.deepEqual(workspace.lines(), ["GET /api/2.0/apps", "GET /api/2.0/serving-endpoints"]);
});
