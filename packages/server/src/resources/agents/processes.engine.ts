/** Agents and apps as real processes, through the API: deploying, stopping, failing, logs. */
import assert from "node:assert/strict";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { withVariable } from "../../runtime/processes/operating-system.ts";
import { programsAmong } from "../../runtime/processes/test-processes.ts";
import { markVariable } from "../../runtime/processes/variables.ts";
import { refused } from "../../testing/refusal.ts";
import { enginesOfSlowSuites, startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { putTinyApp } from "../../testing/tiny-app.ts";
import { states } from "./test-states.ts";

for (const engine of enginesOfSlowSuites) {
  suite(`agents and apps as processes on ${engine}`, () => {
    let server: TestServer;
    before(async () => {
      const settings = { APPS_PORT: "0", PLATFORM_PROCESS_START_SECONDS: "20" };
      server = await startTestServer({ engine, settings });
    });
    after(() => server.close());

    /** An agent with code, and a UI app, in an environment of their own. */
    async function given(code: { agent?: string; ui?: string } = {}) {
      const { client } = server;
      const { id: environment } = await client.createEnvironment({ body: { name: unique("here") } });
      const here = { environment };
      const name = unique("desk");
      const path = `${name}/agent`;
      const { id } = await client.createAgent({ body: { name, source_path: path } });
      await putTinyApp(client, environment, { path, code: code.agent ?? "" });
      const uiPath = await putTinyApp(client, environment, { path: `${name}/ui`, code: code.ui ?? "" });
      const ui = await client.createApp({ body: { name: "ui", agent: name, source_path: uiPath }, ...here });
      const pidOf = async (source: string): Promise<number | undefined> => {
        const all = await programsAmong(await withVariable(markVariable, ""));
        const folder = join(server.dataDir, "processes", source);
        const found = await Promise.all(
          all.map(async ({ pid }) => ((await cwdOf(pid))?.startsWith(folder) ? [pid] : [])),
        );
        const pids = found.flat();
        assert.ok(pids.length <= 1, `${pids.length} processes of ${source}`);
        return pids[0];
      };
      return {
        client,
        id,
        name,
        environment,
        here,
        ui: ui.id,
        start: { body: { application_name: "ui" }, ...here },
        retry: (component: "agent_endpoint" | "ui_app") =>
          client.retryComponent({ body: { agent_id: id, component }, ...here }),
        statesNow: async () => states(await client.getAgent({ params: { agent_id: id } }), environment),
        endpointPid: () => pidOf(`agent-${id}-${environment}`),
        uiPid: () => pidOf(`app-${ui.id}`),
      };
    }

    test("#19 starts the endpoint, then the app; #17 redeploys one; #10 stops all and leaves no process or folder", async () => {
      const { client, id, here, start, retry, statesNow, endpointPid, uiPid, ui } = await given();
      const { app } = await client.startApp(start);
      assert.equal(app.observed_state, "running");
      assert.deepEqual(await statesNow(), { agent_endpoint: "running/running", ui_app: "running/running" });
      const [endpoint, page] = [await endpointPid(), await uiPid()];
      assert.ok(endpoint && page);

      await retry("ui_app");
      assert.equal(await endpointPid(), endpoint);
      const newPage = await uiPid();
      assert.notEqual(newPage, page);
      await retry("agent_endpoint");
      assert.equal(await uiPid(), newPage);
      assert.notEqual(await endpointPid(), endpoint);

      await client.stopAgent({ body: { agent_id: id }, ...here });
      assert.deepEqual([await endpointPid(), await uiPid()], [undefined, undefined]);
      assert.deepEqual(await statesNow(), { agent_endpoint: "stopped/stopped", ui_app: "stopped/stopped" });

      await client.deleteApp({ params: { app_id: ui } });
      await client.deleteAgent({ params: { agent_id: id } });
      await server.server.tick();
      const left = (await readdir(join(server.dataDir, "processes"))).filter(
        (name) => name.includes(id) || name.includes(ui),
      );
      assert.deepEqual(left, [], "its folders are removed");
    });

    test("#19: a failure names the component, the reason and its last lines", async () => {
      const broken = 'console.log("no database here");\nprocess.exit(2);';
      const { client, name, start, statesNow } = await given({ agent: broken });
      const why = new RegExp(
        `The app "ui" needs its agent\\. agent_endpoint of "${name}" failed: It ended with exit code 2\\. Its last lines:\n.*no database here`,
        "s",
      );
      await refused(client.startApp(start), 409, why);
      assert.deepEqual(await statesNow(), { agent_endpoint: "running/failed" });

      const other = await given({ ui: "process.exit(5);" });
      await refused(client.startApp(other.start), 409, /^The app "ui" failed: It ended with exit code 5\./);
      assert.deepEqual(await other.statesNow(), {
        agent_endpoint: "running/running",
        ui_app: "running/failed",
      });
      await client.stopAgent({ body: { agent_id: other.id }, ...other.here });
    });

    test("a version runs the code in its own folder, or the agent's", async () => {
      const { client, id, here, environment, retry } = await given();
      const body = { version: "2", source_path: unique("v2") };
      await client.createAgentVersion({ params: { agent_id: id }, body });
      const code = 'console.log("version two");';
      await putTinyApp(client, environment, { path: body.source_path, code });
      const { agent } = await retry("agent_endpoint");
      assert.equal(agent.components[0]?.version, "2");
      const log = await client.readAgentLog({ params: { agent_id: id }, ...here });
      assert.ok(log.lines.some(({ line }) => line === "version two"));
      await client.stopAgent({ body: { agent_id: id }, ...here });
    });

    test("a process that ends is shown in its document and events, and restarted", async () => {
      const { client, id, here, start, ui, uiPid, endpointPid, statesNow } = await given();
      await client.startApp(start);
      const [page, endpoint] = [await uiPid(), await endpointPid()];
      process.kill(page as number, "SIGKILL");
      const app = () => client.getApp({ params: { app_id: ui } });
      await until(async () => (await app()).message !== null);
      const { observed_state, message } = await app();
      if (observed_state === "pending") {
        assert.equal(message, "It was ended by SIGKILL. It is restarted in 1 s (restart 1).");
        assert.equal((await statesNow()).ui_app, "running/pending");
      }
      await until(async () => (await app()).observed_state === "running", 50);
      assert.equal((await app()).message, "It was ended by SIGKILL. It was restarted (restart 1).");
      assert.deepEqual(await statesNow(), { agent_endpoint: "running/running", ui_app: "running/running" });
      assert.equal(await endpointPid(), endpoint);
      const kinds = (await server.events(undefined, `app/${ui}`)).map(({ kind }) => kind);
      assert.deepEqual(kinds, [
        "app.created",
        "app.started",
        "app.settled",
        "app.process_ended",
        "app.process_restarted",
      ]);
      const before = await server.rows();
      await server.server.tick();
      assert.deepEqual(await server.rows(), before, "a known observation is not recorded again");
      await client.stopAgent({ body: { agent_id: id }, ...here });
    });

    test("a log is read and followed; an unknown one is 404, an invalid position 400", async () => {
      const { client, here, start, ui, id } = await given();
      await client.startApp(start);
      const params = { app_id: ui };
      const { lines, next_after } = await client.readAppLog({ params });
      assert.equal(lines.at(-1)?.line, "listening");
      assert.deepEqual(await client.readAppLog({ params, query: { after: next_after } }), {
        lines: [],
        next_after,
      });
      const leaving = new AbortController();
      const stream = await server.fetch(`/api/apps/${ui}/log`, {
        headers: { accept: "text/event-stream", "last-event-id": String(next_after) },
        signal: leaving.signal,
      });
      await client.stopAgent({ body: { agent_id: id }, ...here });
      let text = "";
      for await (const chunk of stream.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes("stopped")) break;
      }
      assert.match(text, /id: \d+\nevent: line\ndata: {"n":\d+,"line":"--- \S+ stopped"}/);
      leaving.abort();
      const wrong = await server.fetch(`/api/apps/${ui}/log`, {
        headers: { accept: "text/event-stream", "last-event-id": "the last" },
      });
      assert.equal(wrong.status, 400);
      await refused(client.readAppLog({ params: { app_id: "none" } }), 404);
      await refused(client.readAgentLog({ params: { agent_id: "none" }, ...here }), 404);
    });
  });
}

const cwdOf = (pid: number) => readlink(`/proc/${pid}/cwd`).catch((): undefined => undefined);
